"""A visitor's session: work, undo, link, compilations, and the callbacks that change them."""
