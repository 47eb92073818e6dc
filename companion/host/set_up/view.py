"""The one value that a set-up page shows, made of progress, the newest step and the host. Changes nothing."""

from dataclasses import dataclass

from companion.game import Phase
from companion.host.set_up.cameras import NETWORK, is_network, name_of
from companion.host.set_up.lessons import TableLessons
from companion.host.set_up.means import Means, Shown
from companion.host.set_up.progress import Progress
from companion.view.setting_up import CameraChoice, SetUpView, Step
from companion.words import DEFAULT, Catalogue, catalogues
from vision.cameras.watch import Sight


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What goes on around the steps, as one page sees it."""

    number: int
    busy: bool
    here: bool
    held: bool
    others: bool


def view_of(
    progress: Progress, shown: Shown, around: Surroundings, means: Means, lessons: TableLessons
) -> SetUpView:
    game = means.table.snapshot.game
    ground = shown.ground or progress.ground
    words = catalogues()[progress.language or DEFAULT]
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
        cameras=cameras_of(progress, means, words),
        camera_fixed=means.cameras is None,
        camera=words.named(means.camera.name),
        camera_says=_says(means, words),
        picture=str(shown.picture) if "lid" in lessons.pictures else "",
        shape=ground.shape,
        corners=ground.corners,
        kept=progress.ground.corners,
        corners_found=shown.found,
        doubt=shown.doubt,
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


def cameras_of(progress: Progress, means: Means, words: Catalogue) -> tuple[CameraChoice, ...]:
    """Those connected, and one typed in; without a choice the first of them is taken."""
    if means.cameras is None:
        return ()
    found = [(each.setting, each.name) for each in means.cameras()]
    chosen = progress.camera or (found[0][0] if found and means.simulated is None else "")
    if is_network(chosen):
        found.append((NETWORK, words.word(name_of(chosen))))
        chosen = NETWORK
    return tuple(CameraChoice(setting, name, setting == chosen) for setting, name in found)


def _says(means: Means, words: Catalogue) -> str:
    """What is wrong with the camera, in the table's language."""
    state = means.camera.state
    silent = state.is_good or state.sight is Sight.STARTING
    return "" if silent else words.word(state.says)
