"""Web: pages for phones, table display and panel; they draw what the server says is legal."""

from web.app import create_app
from web.services import Fact, Lamp, PanelPage, Photographed, Services

__all__ = ["Fact", "Lamp", "PanelPage", "Photographed", "Services", "create_app"]
