"""Microphone and camera: what they have in common, which is how they are refused."""

from collections.abc import Callable

from PySide6.QtCore import (
    QCameraPermission,
    QCoreApplication,
    QMicrophonePermission,
    QObject,
    QPermission,
    Qt,
)

Permission = QMicrophonePermission | QCameraPermission


def permitted(
    permission: Permission,
    context: QObject,
    then: Callable[[], None],
    otherwise: Callable[[], None],
) -> None:
    """Call `then` once the system lets us, after it asked its user where it wants to."""
    application = QCoreApplication.instance()
    assert application is not None, "a window has an application"
    status = application.checkPermission(permission)
    if status == Qt.PermissionStatus.Undetermined:

        def answered(told: QPermission) -> None:
            granted = told.status() == Qt.PermissionStatus.Granted
            (then if granted else otherwise)()

        application.requestPermission(permission, context, answered)
    elif status == Qt.PermissionStatus.Granted:
        then()
    else:
        otherwise()
