"""How a request or a websocket is refused before Streamlit sees it: a status and a sentence."""

from starlette.types import Scope, Send


async def send_refusal(scope: Scope, send: Send, status: int, sentence: str) -> None:
    """Answer with a sentence as plain text, and close the connection."""
    head = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    start_type, body_type = "http.response.start", "http.response.body"
    if scope["type"] == "websocket":
        start_type, body_type = f"websocket.{start_type}", f"websocket.{body_type}"
    await send({"type": start_type, "status": status, "headers": head})
    await send({"type": body_type, "body": sentence.encode()})
