"""Accept mobile money in Cape Verde and Angola through your Zimbo gateway."""

from ._client import AsyncZimbo, Zimbo
from ._errors import (
    AuthenticationFailed,
    Conflict,
    ConnectionFailed,
    GatewayError,
    InvalidRequest,
    NotFound,
    PermissionDenied,
    Problem,
    RateLimited,
    UnexpectedAnswer,
    ZimboError,
)
from ._event import Event
from ._models import *  # noqa: F403
from ._pages import AsyncPages, Page, Pages
from ._request import OMITTED, Request
from ._transport import Answer
from ._version import VERSION as __version__
from ._webhooks import WebhookVerificationError, sign_webhook, verify_webhook

__all__ = [
    "OMITTED",
    "Answer",
    "AsyncPages",
    "AsyncZimbo",
    "AuthenticationFailed",
    "Conflict",
    "ConnectionFailed",
    "Event",
    "GatewayError",
    "InvalidRequest",
    "NotFound",
    "Page",
    "Pages",
    "PermissionDenied",
    "Problem",
    "RateLimited",
    "Request",
    "UnexpectedAnswer",
    "WebhookVerificationError",
    "Zimbo",
    "ZimboError",
    "__version__",
    "sign_webhook",
    "verify_webhook",
]
