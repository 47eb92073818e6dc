"""Web: pages for phones, table display and panel; they draw what the server says is legal."""

from web.app import create_app
from web.serving.services import Fact, Photographed, Services

__all__ = ["Fact", "Photographed", "Services", "create_app"]
