// How is a drawing moved and enlarged? By the transforms of its two wrappers.

const [NEAREST, FARTHEST] = [4, 0.02];
/** Milliseconds since the last movement was shown, after which the text is drawn anew, crisp at its scale. */
const REST = 140;
/** Pixels by which a pointer moves before a press becomes a drag. */
const FAR = 4;
const GESTURES = { wheelStep: 60, wheelPace: 300 };

/**
 * Two factors whose product is a scale: one widens the outer wrapper and makes the inner one higher, the other the reverse.
 *
 * The sum of their squares is the same at each scale. Where it changes, Chromium lays out all SVG text in an element anew.
 */
function factorsOf(scale) {
  const wide = (Math.sqrt(2 * (NEAREST + scale)) + Math.sqrt(2 * (NEAREST - scale))) / 2;
  return [wide, Math.sqrt(2 * NEAREST - wide * wide)];
}

/**
 * Let `world` with one wrapper in it, in `stage`, be moved by drags, the wheel and two fingers.
 *
 * `pick(target)` gets the element that is clicked, `moved(byUser)` follows each change, `rested()` its end; `takesWheel(event)`:
 * whether the wheel enlarges the drawing and does not scroll the page; `holds(event)`: whether a press is for something else.
 */
export function createView(stage, world, { pick, moved, rested, takesWheel = () => true, holds = () => false }) {
  const state = { x: 0, y: 0, scale: 1 };
  const pointers = new Map();
  let [resting, showing, dragged] = [0, 0, false];
  /** The place that was shown last, if the user did not move it since. */
  let shown = null;
  const place = () => [state.x, state.y, state.scale, stage.clientWidth, stage.clientHeight].join();

  const apply = (byUser) => {
    shown = byUser ? null : place();
    stage.classList.add("moving");
    const [wide, high] = factorsOf(state.scale);
    world.style.transform = `matrix(${wide}, 0, 0, ${high}, ${state.x}, ${state.y})`;
    world.firstElementChild.style.transform = `matrix(${high}, 0, 0, ${wide}, 0, 0)`;
    restLater();
    moved(byUser);
  };
  const cancelRest = () => {
    clearTimeout(resting);
    cancelAnimationFrame(showing);
  };
  /** Rest unless another movement follows; the time counts from the frame that shows this one, which a large graph may take long for. */
  const restLater = () => {
    cancelRest();
    showing = requestAnimationFrame(() => {
      showing = requestAnimationFrame(() => (resting = setTimeout(rest, REST)));
    });
  };
  const rest = () => {
    // A drag that pauses goes on: to draw it crisp would take longer than its next movements.
    if (pointers.size) return;
    stage.classList.remove("moving");
    rested();
  };

  const held = (scale) => Math.min(NEAREST, Math.max(FARTHEST, scale));

  /** Put a point of the drawing into the middle of the stage. */
  const show = ({ x, y, scale = state.scale }, byUser = false) => {
    state.scale = held(scale);
    state.x = stage.clientWidth / 2 - x * state.scale;
    state.y = stage.clientHeight / 2 - y * state.scale;
    if (!byUser && place() === shown) return;
    apply(byUser);
    // What moves by itself is crisp at once.
    if (!byUser) {
      cancelRest();
      rest();
    }
  };

  const localOf = ({ clientX, clientY }) => {
    const { left, top } = stage.getBoundingClientRect();
    return [clientX - left, clientY - top];
  };

  /** Enlarge by a factor; the point of the stage at `at` stays where it is. */
  const zoom = (factor, at = [stage.clientWidth / 2, stage.clientHeight / 2]) => {
    const scale = held(state.scale * factor);
    const real = scale / state.scale;
    [state.x, state.y, state.scale] = [at[0] - (at[0] - state.x) * real, at[1] - (at[1] - state.y) * real, scale];
    apply(true);
  };

  const spread = () => {
    const [a, b] = [...pointers.values()];
    return { middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2], apart: Math.hypot(a[0] - b[0], a[1] - b[1]) };
  };

  const down = (event) => {
    if (event.button !== 0 || holds(event)) return;
    pointers.set(event.pointerId, localOf(event));
    dragged = pointers.size > 1;
    state.from = localOf(event);
  };
  const move = (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = localOf(event);
    if (!dragged && Math.hypot(now[0] - state.from[0], now[1] - state.from[1]) < FAR) return;
    if (!stage.hasPointerCapture(event.pointerId)) stage.setPointerCapture(event.pointerId);
    dragged = true;
    stage.classList.add("held");
    const old = pointers.size > 1 ? spread() : null;
    pointers.set(event.pointerId, now);
    if (old) {
      const { middle, apart } = spread();
      state.x += middle[0] - old.middle[0];
      state.y += middle[1] - old.middle[1];
      zoom(old.apart ? apart / old.apart : 1, middle);
      return;
    }
    state.x += now[0] - before[0];
    state.y += now[1] - before[1];
    apply(true);
  };
  const up = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size) return;
    stage.classList.remove("held");
    if (dragged) restLater();
    if (!dragged && event.type === "pointerup") pick(event.target);
  };

  stage.addEventListener("pointerdown", down);
  stage.addEventListener("pointermove", move);
  stage.addEventListener("pointerup", up);
  stage.addEventListener("pointercancel", up);
  stage.addEventListener("wheel", (event) => {
    if (!takesWheel(event)) return;
    event.preventDefault();
    const step = Math.max(-GESTURES.wheelStep, Math.min(GESTURES.wheelStep, event.deltaY));
    zoom(Math.exp(-step / GESTURES.wheelPace), localOf(event));
  }, { passive: false });

  return {
    show,
    zoom,
    scale: () => state.scale,
    /** Left, top, right and foot of what is in view, in the drawing's coordinates. */
    visible: () => [-state.x, -state.y, stage.clientWidth - state.x, stage.clientHeight - state.y].map((each) => each / state.scale),
    middle: () => ({ x: (stage.clientWidth / 2 - state.x) / state.scale, y: (stage.clientHeight / 2 - state.y) / state.scale }),
    /** A point of the drawing in the window, and the other way round. */
    toClient: ([x, y]) => {
      const { left, top } = stage.getBoundingClientRect();
      return { x: left + state.x + x * state.scale, y: top + state.y + y * state.scale };
    },
    toDrawing: (event) => {
      const [x, y] = localOf(event);
      return [(x - state.x) / state.scale, (y - state.y) / state.scale];
    },
  };
}
