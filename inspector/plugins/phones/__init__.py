"""The plugin of Android phones: measured by a program of a runtime, reached by adb."""
