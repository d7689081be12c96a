"""The languages of this plugin; `templates/` has one for each."""

from functools import partial

from inspector.render.code_languages import PYTHON, CodeLanguage

_language = partial(
    CodeLanguage,
    session="inspector.plugins.code.writing:session",
    program="inspector.plugins.code.call_code:call_code",
)
CODE_LANGUAGES = (
    _language("python", "Python", ".py", PYTHON.needs, comment=PYTHON.comment),
    _language("cpp", "C++", ".cpp", "ONNX Runtime 1.17 or later, OpenCV 4"),
    _language("csharp", "C#", ".cs", "NuGet: Microsoft.ML.OnnxRuntime, SixLabors.ImageSharp"),
    _language(
        "java", "Java", ".java", "Maven: com.microsoft.onnxruntime:onnxruntime 1.17 or later"
    ),
    _language(
        "kotlin",
        "Kotlin",
        ".kt",
        "Gradle: com.microsoft.onnxruntime:onnxruntime-android 1.17 or later",
    ),
    _language("javascript", "JavaScript", ".mjs", "npm install onnxruntime-web"),
    _language("swift", "Swift", ".swift", "Swift package or CocoaPod: onnxruntime-objc"),
)
