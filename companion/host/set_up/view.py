"""The one value that a set-up page shows, made of progress, the newest step and the host. Changes nothing."""

from dataclasses import dataclass

from companion.game import Phase
from companion.host.set_up.lessons import Lessons
from companion.host.set_up.means import Means, Shown
from companion.host.set_up.progress import Progress
from companion.view.setting_up import CameraChoice, SetUpView, Step


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What goes on around the steps, as one page sees it."""

    number: int
    busy: bool
    here: bool
    held: bool
    others: bool


def view_of(
    progress: Progress, shown: Shown, around: Circumstances, means: Means, lessons: Lessons
) -> SetUpView:
    game = means.table.snapshot.game
    return SetUpView(
        number=around.number,
        step=progress.step,
        done=tuple(step for step in Step if step in progress.done),
        busy=around.busy,
        here=around.here,
        held=around.held,
        others=around.others,
        game=game is not None and game.phase is not Phase.OVER,
        simulated=means.simulated is not None,
        in_force=means.eyes.calibration is not None,
        language=progress.language,
        cameras=_cameras(progress, means),
        camera_fixed=means.cameras is None,
        camera=means.camera.name,
        picture=str(shown.picture) if "lid" in lessons.pictures else "",
        corners=shown.corners or progress.corners,
        corners_found=shown.found,
        empty=str(shown.empty) if lessons.empty is not None else "",
        dice_picture=str(shown.dice_picture) if "dice" in lessons.pictures else "",
        dice=shown.lesson.dice,
        warnings=shown.lesson.warnings,
        roll=shown.roll,
        right=progress.right,
        before=shown.before,
        troubles=shown.troubles,
        troubled=shown.troubled,
        panel_simulated=means.trial.is_simulated,
        lamps=means.trial.lamps(progress),
        buttons=means.trial.buttons(),
        players=progress.players,
    )


def _cameras(progress: Progress, means: Means) -> tuple[CameraChoice, ...]:
    """Those connected; the one chosen, or else the first, which is taken without a choice."""
    found = means.cameras() if means.cameras is not None else ()
    chosen = progress.camera or (found[0].setting if found and means.simulated is None else "")
    return tuple(CameraChoice(each.setting, each.name, each.setting == chosen) for each in found)
