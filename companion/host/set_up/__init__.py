"""Setting the table up: the steps, what is kept of them, and the trial of panel and camera. Owns no pages."""

from companion.host.set_up.service import SettingUp

__all__ = ["SettingUp"]
