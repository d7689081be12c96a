"""Pack editors/vscode as out/inspector-VERSION.vsix: `python -m tools.make_vscode_extension`.

A .vsix is a ZIP file with a manifest. Packing it here needs no Node and no network; the result
installs with `code --install-extension FILE`.
"""

import json
import sys
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "editors" / "vscode"
FILES = ("package.json", "extension.js", "inspector.js", "page.js", "README.md")
_TYPES = {"json": "application/json", "js": "application/javascript", "md": "text/markdown",
          "png": "image/png", "txt": "text/plain", "vsixmanifest": "text/xml"}  # fmt: skip
_MOMENT = (1980, 1, 1, 0, 0, 0)  # the same file from the same sources


def content_types() -> str:
    """Return the list of file types that a package needs."""
    rows = "".join(
        f'<Default Extension=".{suffix}" ContentType="{kind}"/>'
        for suffix, kind in _TYPES.items()
    )
    space = "http://schemas.openxmlformats.org/package/2006/content-types"
    return f'<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="{space}">{rows}</Types>\n'


def manifest(package: dict[str, object]) -> str:
    """Return the manifest of a package, from its package.json."""
    engines = package["engines"]
    categories, keywords = package["categories"], package["keywords"]
    assert isinstance(engines, dict)
    assert isinstance(categories, list)
    assert isinstance(keywords, list)
    return f"""<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id={quoteattr(str(package["name"]))} \
Version={quoteattr(str(package["version"]))} Publisher={quoteattr(str(package["publisher"]))}/>
    <DisplayName>{escape(str(package["displayName"]))}</DisplayName>
    <Description xml:space="preserve">{escape(str(package["description"]))}</Description>
    <Tags>{escape(",".join(keywords))}</Tags>
    <Categories>{escape(",".join(categories))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value={quoteattr(str(engines["vscode"]))}/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/media/icon.png</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/media/icon.png" Addressable="true"/>
  </Assets>
</PackageManifest>
"""  # noqa: E501 - the lines of the file


def build(target: Path | None = None) -> Path:
    """Write the package and return its path."""
    package = json.loads((FOLDER / "package.json").read_text("utf-8"))
    target = target or ROOT / "out" / f"inspector-{package['version']}.vsix"
    target.parent.mkdir(parents=True, exist_ok=True)
    parts = {
        "[Content_Types].xml": content_types().encode(),
        "extension.vsixmanifest": manifest(package).encode(),
        "extension/LICENSE.txt": (ROOT / "LICENSE").read_bytes(),
        "extension/media/icon.png": (FOLDER / "media" / "icon.png").read_bytes(),
        **{f"extension/{name}": (FOLDER / name).read_bytes() for name in FILES},
    }
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in parts.items():
            archive.writestr(zipfile.ZipInfo(name, _MOMENT), body, zipfile.ZIP_DEFLATED)
    return target


if __name__ == "__main__":
    sys.stdout.write(f"{build()}\n")
