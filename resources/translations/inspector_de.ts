<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>Inspector</name>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>AMD GPU</source>
      <translation>AMD-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>AMD Ryzen AI NPU</source>
      <translation>AMD-Ryzen-AI-NPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Android</source>
      <translation>Android</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Browser (CPU, GPU, or NPU)</source>
      <translation>Browser, beliebige Einheit</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Browser and desktop GPU</source>
      <translation>Browser und Desktop-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Intel CPU and NPU</source>
      <translation>Intel-CPU und -NPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Intel GPU</source>
      <translation>Intel-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Mostly</source>
      <translation>Überwiegend</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>NVIDIA GPU</source>
      <translation>NVIDIA-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>NVIDIA GPU, compiled</source>
      <translation>NVIDIA-GPU, kompiliert</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>NVIDIA RTX GPU, compiled</source>
      <translation>NVIDIA-RTX-GPU, kompiliert</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Not known</source>
      <translation>Unbekannt</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Only on the CPU</source>
      <translation>Nur auf der CPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Partly on the CPU</source>
      <translation>Teilweise auf der CPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Phone CPU</source>
      <translation>Telefon-CPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Phone GPU</source>
      <translation>Telefon-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Qualcomm DSP</source>
      <translation>Qualcomm-DSP</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Qualcomm NPU</source>
      <translation>Qualcomm-NPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Windows GPU</source>
      <translation>Windows-GPU</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>Yes</source>
      <translation>Ja</translation>
    </message>
    <message>
      <location filename="inspector/analysis/devices/targets.py"></location>
      <source>iPhone, iPad and Mac</source>
      <translation>iPhone, iPad und Mac</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>at full CPU speed</source>
      <translation>bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>median at full CPU speed</source>
      <translation>Median bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>median of all runs</source>
      <translation>Median aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>of all runs</source>
      <translation>aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>one process</source>
      <translation>ein Prozess</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>p95 at full CPU speed</source>
      <translation>p95 bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>p95 needs 20 runs</source>
      <translation>p95 erfordert 20 Läufe</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>p95 of all runs</source>
      <translation>p95 aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/latency.py"></location>
      <source>within one process</source>
      <translation>in einem Prozess</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py"></location>
      <source>Layers supported</source>
      <translation>Unterstützte Schichten</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py"></location>
      <source>Load time</source>
      <translation>Ladezeit</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>Peak model memory</source>
      <translation>Max. Modellspeicher</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py"></location>
      <source>p50</source>
      <translation>p50</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/machine_matrix.py"></location>
      <source>p95</source>
      <translation>p95</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/sweep_labels.py"></location>
      <source>machine</source>
      <translation>Rechner</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/sweep_labels.py"></location>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/sweep_labels.py"></location>
      <source>off</source>
      <translation>aus</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/sweep_labels.py"></location>
      <source>on</source>
      <translation>an</translation>
    </message>
    <message>
      <location filename="inspector/analysis/measured/sweep_labels.py"></location>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <source>this machine</source>
      <translation>dieser Rechner</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>CPU time, mean at full CPU speed</source>
      <translation>CPU-Zeit, Mittelwert bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>CPU time, mean of all runs</source>
      <translation>CPU-Zeit, Mittelwert aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>first run</source>
      <translation>erster Lauf</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, max of all runs</source>
      <translation>Latenz, Max aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, mean at full CPU speed</source>
      <translation>Latenz, Mittelwert bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, mean of all runs</source>
      <translation>Latenz, Mittelwert aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, median at full CPU speed</source>
      <translation>Latenz, Median bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, median of all runs</source>
      <translation>Latenz, Median aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, median of uninterrupted runs</source>
      <translation>Latenz, Median ununterbrochener Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, min of all runs</source>
      <translation>Latenz, Min aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p90 at full CPU speed</source>
      <translation>Latenz, p90 bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p90 of all runs</source>
      <translation>Latenz, p90 aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p95 at full CPU speed</source>
      <translation>Latenz, p95 bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p95 of all runs</source>
      <translation>Latenz, p95 aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p99 at full CPU speed</source>
      <translation>Latenz, p99 bei vollem CPU-Tempo</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>latency, p99 of all runs</source>
      <translation>Latenz, p99 aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>load</source>
      <translation>Laden</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>model size</source>
      <translation>Modellgröße</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>peak model memory</source>
      <translation>max. Modellspeicher</translation>
    </message>
    <message>
      <location filename="inspector/comparison/comparison.py"></location>
      <source>peak process memory</source>
      <translation>max. Prozessspeicher</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>2-bit weights</source>
      <translation>2-Bit-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>4-bit embeddings</source>
      <translation>4-Bit-Embeddings</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>4-bit weights</source>
      <translation>4-Bit-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>7bit: exact and fast on all CPUs; int8: for CPUs with VNNI and NPUs; uint8: exact but slower</source>
      <translation>7bit: exakt und schnell auf allen CPUs; int8: für CPUs mit VNNI und NPUs; uint8: exakt, aber langsamer</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>8-bit embeddings</source>
      <translation>8-Bit-Embeddings</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>8-bit weights</source>
      <translation>8-Bit-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Activation type</source>
      <translation>Typ der Aktivierungen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>After</source>
      <translation>Nachher</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Attribute</source>
      <translation>Attribut</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/fields.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Attributes</source>
      <translation>Attribute</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Begins at</source>
      <translation>Beginnt bei</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Bfloat16 weights</source>
      <translation>Bfloat16-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Bits</source>
      <translation>Bits</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Bits per weight</source>
      <translation>Bits eines Gewichts</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Block size</source>
      <translation>Blockgröße</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Calibration inputs</source>
      <translation>Kalibriereingaben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Change IR version</source>
      <translation>IR-Version ändern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Change types of inputs and outputs</source>
      <translation>Typen von Eingaben und Ausgaben ändern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Classes</source>
      <translation>Klassen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Classes as output</source>
      <translation>Klassen als Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Cut after</source>
      <translation>Schneiden nach</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Data type</source>
      <translation>Datentyp</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Debug metadata</source>
      <translation>Debug-Metadaten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Delete layer</source>
      <translation>Schicht löschen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Device</source>
      <translation>Gerät</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Documentation</source>
      <translation>Dokumentation</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Edit metadata</source>
      <translation>Metadaten bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Emulate float16</source>
      <translation>Float16 emulieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Ends at</source>
      <translation>Endet bei</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Entries</source>
      <translation>Einträge</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Expand weights</source>
      <translation>Gewichte entpacken</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Extract part</source>
      <translation>Teil herauslösen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>File</source>
      <translation>Datei</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Fix dynamic axes</source>
      <translation>Dynamische Achsen festlegen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Float16</source>
      <translation>Float16</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Float16 weights</source>
      <translation>Float16-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Float8 weights</source>
      <translation>Float8-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Fold constants</source>
      <translation>Konstanten falten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Image preprocessing in the model</source>
      <translation>Bildvorverarbeitung im Modell</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/scene.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Input</source>
      <translation>Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Inputs</source>
      <translation>Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Inputs and outputs stay float32</source>
      <translation>Eingaben und Ausgaben bleiben float32</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Insert layer</source>
      <translation>Schicht einfügen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Int8 (dynamic)</source>
      <translation>Int8 (dynamisch)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Int8 (integer operators)</source>
      <translation>Int8 (Ganzzahloperatoren)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Int8 (static)</source>
      <translation>Int8 (statisch)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Integer weights</source>
      <translation>Ganzzahlgewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Interpolation</source>
      <translation>Interpolation</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Layer</source>
      <translation>Schicht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Layers after it</source>
      <translation>Schichten danach</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Layers that stay float32</source>
      <translation>Schichten, die float32 bleiben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Layers that stay in float</source>
      <translation>Schichten, die Gleitkomma bleiben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>MXFP4 weights</source>
      <translation>MXFP4-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Make axes dynamic</source>
      <translation>Achsen dynamisch machen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Measure ranges</source>
      <translation>Wertebereiche messen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Merge equal weights</source>
      <translation>Gleiche Gewichte zusammenfassen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>NF4 weights</source>
      <translation>NF4-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>NVFP4 weights</source>
      <translation>NVFP4-Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Name</source>
      <translation>Name</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Names</source>
      <translation>Namen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>NumPy file with an array of the weight's shape</source>
      <translation>NumPy-Datei mit einem Array der Form des Gewichts</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>ONNX format</source>
      <translation>ONNX-Format</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>ORT format</source>
      <translation>ORT-Format</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>One file</source>
      <translation>Eine Datei</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>One scale per channel</source>
      <translation>Eine Skala pro Kanal</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Only these layers</source>
      <translation>Nur diese Schichten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Operator</source>
      <translation>Operator</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Operators to quantize</source>
      <translation>Zu quantisierende Operatoren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Optimization level</source>
      <translation>Optimierungsstufe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/scene.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Output</source>
      <translation>Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Palettized weights</source>
      <translation>Palettisierte Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Part</source>
      <translation>Teil</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Pattern</source>
      <translation>Muster</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Percentile</source>
      <translation>Perzentil</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Remove weights from inputs</source>
      <translation>Gewichte aus Eingaben entfernen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Rename axes</source>
      <translation>Achsen umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Rename inputs and outputs</source>
      <translation>Ein- und Ausgaben umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Rename layers</source>
      <translation>Schichten umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Repair axes of quantization</source>
      <translation>Achsen der Quantisierung reparieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Repair names, order and shapes</source>
      <translation>Namen, Reihenfolge und Formen reparieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Replace layer</source>
      <translation>Schicht ersetzen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Replace weight</source>
      <translation>Gewicht ersetzen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Resize</source>
      <translation>Skalieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Rows per table</source>
      <translation>Zeilen pro Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Save compiled model</source>
      <translation>Wie vom Gerät kompiliert speichern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Save optimized graph</source>
      <translation>Wie optimiert speichern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Set attribute</source>
      <translation>Attribut setzen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Set main signature</source>
      <translation>Signatur als Hauptgraph</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Shapes of intermediate tensors</source>
      <translation>Formen von Zwischentensoren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/signature_card.py"></location>
      <source>Signature</source>
      <translation>Signatur</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Simplify</source>
      <translation>Vereinfachen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Sizes</source>
      <translation>Größen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Sparse weights</source>
      <translation>Dünn besetzte Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Split in two</source>
      <translation>In zwei Teile teilen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Strip</source>
      <translation>Bereinigen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Sums computed in</source>
      <translation>Summen gerechnet in</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Training information</source>
      <translation>Trainingsinformationen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Types</source>
      <translation>Typen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Update opset</source>
      <translation>Opset aktualisieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Value</source>
      <translation>Wert</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Value ranges</source>
      <translation>Wertebereiche</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Version</source>
      <translation>Version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Weight</source>
      <translation>Gewicht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Weight type</source>
      <translation>Typ der Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Weights in a separate file</source>
      <translation>Gewichte in eigener Datei</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>What to quantize in a layer</source>
      <translation>Was je Schicht quantisiert wird</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>Zeros (%)</source>
      <translation>Nullen (%)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>add a layer after a tensor or layer</source>
      <translation>eine Schicht nach einem Tensor oder einer Schicht einfügen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>attributes in JSON: {"alpha":0.1}</source>
      <translation>Attribute in JSON: {"alpha":0.1}</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>attributes in JSON: {"axis":1}</source>
      <translation>Attribute in JSON: {"axis":1}</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>axis=size, ...</source>
      <translation>Achse=Größe, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>bits per index, 1 to 8</source>
      <translation>Bits pro Index, 1 bis 8</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>bits per weight</source>
      <translation>Bits eines Gewichts</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>bypass: the layers after it use its first input; remove: they go, too, and so do layers whose results nobody uses then</source>
      <translation>bypass: Die Schichten danach nehmen die erste Eingabe; remove: Sie entfallen ebenfalls, und auch Schichten, deren Ergebnisse dann niemand mehr braucht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>change the operator of a layer; its inputs and outputs stay</source>
      <translation>den Operator einer Schicht ändern; ihre Eingaben und Ausgaben bleiben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>compute a float16 model in float32 and round each result to float16, as GPUs do: for checks on a CPU, which skips the rounding</source>
      <translation>ein float16-Modell in float32 rechnen und jedes Ergebnis auf float16 runden, wie GPUs es tun: zur Prüfung auf einer CPU, die das Runden auslässt</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>compute constant parts of the graph, and remove duplicates and layers without effect</source>
      <translation>konstante Teile des Graphen berechnen und Duplikate und Schichten ohne Wirkung entfernen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>compute layers whose inputs are constants or fixed shapes</source>
      <translation>Schichten berechnen, deren Eingaben Konstanten oder feste Formen sind</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>compute with ONNX Runtime's integer operators, with ranges measured on typical inputs</source>
      <translation>mit den Ganzzahloperatoren von ONNX Runtime rechnen, mit an typischen Eingaben gemessenen Wertebereichen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>convert the operators to a newer version of the operator set</source>
      <translation>die Operatoren in eine neuere Version des Operatorsatzes konvertieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>data type in which layers add up</source>
      <translation>Datentyp, in dem Schichten summieren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>data type of the values between layers</source>
      <translation>Datentyp der Werte zwischen den Schichten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>declare weights as constants, so that runtimes can fold what depends only on them</source>
      <translation>Gewichte als Konstanten deklarieren, damit Laufzeitumgebungen vorab mit ihnen rechnen können</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>device to compile for (default: the first that can)</source>
      <translation>Gerät, für das kompiliert wird (Standard: das erste, das es kann)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>doc strings</source>
      <translation>Doc-Strings</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>e4m3: more precise; e5m2: values of a channel may differ more in magnitude</source>
      <translation>e4m3: genauer; e5m2: die Werte eines Kanals dürfen sich in der Größenordnung mehr unterscheiden</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>found: resize as Preview does; none: images already have the model's size</source>
      <translation>found: skalieren wie die Vorschau; none: Bilder haben bereits diese Größe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>found: the method that Preview uses; or always the same method</source>
      <translation>found: wie in der Vorschau; oder eine feste Interpolation</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>further input tensors</source>
      <translation>weitere Eingabetensoren</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>give inputs and outputs other types, converted by Cast layers in the model</source>
      <translation>Eingaben und Ausgaben andere Typen geben, umgewandelt durch Cast-Schichten im Modell</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>give layers unique names and a valid order, return outer values through Identity, and correct shapes that contradict the inputs</source>
      <translation>Schichten eindeutige Namen und eine gültige Reihenfolge geben, äußere Werte über Identity zurückgeben und Formen berichtigen, die den Eingaben widersprechen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>how the range of a tensor is determined. minmax: min and max over all inputs; average: mean of the min and max of each input; percentile: without the rarest values; entropy: the range that changes the distribution least. All but minmax cut off outliers</source>
      <translation>wie der Wertebereich eines Tensors bestimmt wird. minmax: Min und Max über alle Eingaben; average: Mittelwert der Min und Max jeder Eingabe; percentile: ohne die seltensten Werte; entropy: der Bereich, der die Verteilung am wenigsten ändert. Alle außer minmax schneiden Ausreißer ab</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>input[axis]=name, ...</source>
      <translation>eingabe[achse]=name, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>inputs that value ranges are measured on. typical: those that you give; random: made-up ones, to measure only speed, since the predictions are then mostly wrong</source>
      <translation>Eingaben, an denen die Wertebereiche gemessen werden. typical: die angegebenen; random: zufällige, nur um das Tempo zu messen, denn die Vorhersagen sind dann meist falsch</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>keep only one of several weights with equal values</source>
      <translation>von mehreren Gewichten mit gleichen Werten nur eines behalten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>keep only the layers between the given tensors or layers</source>
      <translation>nur die Schichten zwischen den angegebenen Tensoren oder Schichten behalten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>keep only the layers up to the given tensors or layers</source>
      <translation>nur die Schichten bis zu den angegebenen Tensoren oder Schichten behalten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>keep the part before or after a cut; outputs of the first are inputs of the second</source>
      <translation>den Teil vor oder nach einem Schnitt behalten; Ausgaben des ersten sind Eingaben des zweiten</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>layer or tensor after which to cut</source>
      <translation>Schicht oder Tensor, nach dem geschnitten wird</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>make another signature the one that runs, such as 'decode' instead of 'encode'</source>
      <translation>eine andere Signatur ausführbar machen, zum Beispiel 'decode' statt 'encode'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>make axes of fixed size, given as input[axis]=name, dynamic</source>
      <translation>Achsen mit fester Größe, angegeben als eingabe[achse]=name, dynamisch machen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>make the model return the best classes with their scores, the best class, or probabilities</source>
      <translation>das Modell die besten Klassen mit ihren Scores, die beste Klasse oder Wahrscheinlichkeiten zurückgeben lassen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>metadata of layers and values, such as stack traces</source>
      <translation>Metadaten von Schichten und Werten, etwa Stacktraces</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the attribute</source>
      <translation>Name des Attributs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the input (default: the first image)</source>
      <translation>Name der Eingabe (Standard: das erste Bild)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the new layer</source>
      <translation>Name der neuen Schicht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the output (default: the first)</source>
      <translation>Name der Ausgabe (Standard: die erste)</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the signature</source>
      <translation>Name der Signatur</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name of the weight</source>
      <translation>Name des Gewichts</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name, output or number of the layer</source>
      <translation>Name, Ausgabe oder Nummer der Schicht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name, output or number of the layer; several separated by '+'</source>
      <translation>Name, Ausgabe oder Nummer der Schicht; mehrere durch '+' getrennt</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name=type, ...</source>
      <translation>Name=Typ, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>name=value, ...</source>
      <translation>name=wert, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>names of layers that stay float32, separated by '+'; auto finds those that need it, by running the model on the inputs in emulated float16 arithmetic</source>
      <translation>Namen von Schichten, die float32 bleiben, durch „+“ getrennt; auto findet die, die es brauchen, indem es das Modell auf den Eingaben in emulierter float16-Arithmetik ausführt</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>names of layers that stay in float, separated by '+'</source>
      <translation>Namen der Schichten, die Gleitkomma bleiben, getrennt durch '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>names of the layers to quantize, among those with weights; all by default</source>
      <translation>Namen der zu quantisierenden Schichten unter denen mit Gewichten; standardmäßig alle</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>names of the layers to quantize; all by default</source>
      <translation>Namen der zu quantisierenden Schichten; standardmäßig alle</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>new IR version</source>
      <translation>neue IR-Version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>new operator, such as HardSwish</source>
      <translation>neuer Operator, zum Beispiel HardSwish</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>new opset version</source>
      <translation>neue Opset-Version</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>number of classes for top-k</source>
      <translation>Anzahl der Klassen für Top-k</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>old=new, ...</source>
      <translation>alt=neu, ...</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>operator, such as Softmax</source>
      <translation>Operator, zum Beispiel Softmax</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>operators to quantize, such as Conv+MatMul; all by default</source>
      <translation>zu quantisierende Operatoren, zum Beispiel Conv+MatMul; standardmäßig alle</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>optimization level</source>
      <translation>Optimierungsstufe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>percentage of the values that become zero</source>
      <translation>Prozentsatz der Werte, die null werden</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>put weights that are in other files into the model</source>
      <translation>Gewichte aus anderen Dateien in das Modell aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>quantize tensors with one axis along that axis, where the file names another, so that LiteRT and OpenVINO load it</source>
      <translation>Tensoren mit einer Achse entlang dieser Achse quantisieren, wo die Datei eine andere nennt, damit LiteRT und OpenVINO sie laden</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>remove a layer; the layers after it use its first input, or are removed, too</source>
      <translation>eine Schicht entfernen; die Schichten danach nehmen die erste Eingabe oder entfallen ebenfalls</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>remove documentation, training information and debug metadata</source>
      <translation>Dokumentation, Trainingsinformationen und Debug-Metadaten entfernen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>rename dynamic axes</source>
      <translation>dynamische Achsen umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>rename inputs, outputs or intermediate tensors</source>
      <translation>Eingaben, Ausgaben oder Zwischentensoren umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>rename layers</source>
      <translation>Schichten umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>rows that share a table</source>
      <translation>Zeilen, die sich eine Tabelle teilen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>save the graph as optimized by ONNX Runtime, so that it loads faster</source>
      <translation>den Graphen wie von ONNX Runtime optimiert speichern, damit er schneller lädt</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>save what an execution provider compiled (EP context), so that it loads faster there</source>
      <translation>speichern, was ein Ausführungsanbieter kompiliert hat (EP-Kontext), damit es dort schneller lädt</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>set an attribute of a layer; an empty value removes it</source>
      <translation>ein Attribut einer Schicht setzen; ein leerer Wert entfernt es</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>set dynamic axes, given by name or as input[axis], to a fixed size</source>
      <translation>dynamische Achsen, angegeben als Name oder eingabe[achse], auf eine feste Größe festlegen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>set metadata entries; an empty value removes an entry</source>
      <translation>Metadateneinträge setzen; ein leerer Wert entfernt einen Eintrag</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>set small weights to zero and store only the others: a smaller file, not faster</source>
      <translation>kleine Gewichte auf null setzen und nur die übrigen speichern: eine kleinere Datei, nicht schneller</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>shapes of intermediate tensors, which model viewers show</source>
      <translation>Formen von Zwischentensoren, die Modellbetrachter anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store the rows that Gather takes in 4 bits, with a scale for each block</source>
      <translation>die Zeilen, die Gather nimmt, in 4 Bit speichern, mit einer Skala für jeden Block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store the rows that Gather takes in 8 bits, with a scale for each block</source>
      <translation>die Zeilen, die Gather nimmt, in 8 Bit speichern, mit einer Skala für jeden Block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store the weights in a separate file, as models over 2 GB require</source>
      <translation>die Gewichte in einer eigenen Datei speichern, wie es Modelle über 2 GB erfordern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights and compute in 8-bit integers, with ranges measured on typical inputs</source>
      <translation>Gewichte in 8-Bit-Ganzzahlen speichern und damit rechnen, mit an typischen Eingaben gemessenen Wertebereichen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights and compute in float16</source>
      <translation>Gewichte in float16 speichern und damit rechnen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights as indices into tables of a few values: a smaller file, not faster</source>
      <translation>Gewichte als Indizes in Tabellen mit wenigen Werten speichern: eine kleinere Datei, nicht schneller</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in 4-bit floats, with a float8 scale for each block of 16: a smaller file, not faster</source>
      <translation>Gewichte in 4-Bit-Gleitkommazahlen speichern, mit einer float8-Skala für jeden Block von 16: eine kleinere Datei, nicht schneller</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in 4-bit floats, with a power of two for each block of 32: a smaller file, not faster</source>
      <translation>Gewichte in 4-Bit-Gleitkommazahlen speichern, mit einer Zweierpotenz für jeden Block von 32: eine kleinere Datei, nicht schneller</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in 8-bit integers, and compute in float32</source>
      <translation>Gewichte in 8-Bit-Ganzzahlen speichern und in float32 rechnen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in 8-bit integers, and quantize activations while the model runs</source>
      <translation>Gewichte in 8-Bit-Ganzzahlen speichern und Aktivierungen quantisieren, während das Modell läuft</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in bfloat16, and compute in float32, for which CPUs have kernels</source>
      <translation>Gewichte in bfloat16 speichern und in float32 rechnen, wofür CPUs Kernel haben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in float16, and compute in float32</source>
      <translation>Gewichte in float16 speichern und in float32 rechnen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights in float8 with a scale for each output channel, and compute in float32</source>
      <translation>Gewichte in float8 mit einer Skala für jeden Ausgabekanal speichern und in float32 rechnen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights of MatMul and Gemm in 2 bits, with a scale for each block</source>
      <translation>Gewichte von MatMul und Gemm in 2 Bit speichern, mit einer Skala für jeden Block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights of MatMul and Gemm in 4 bits, with a scale for each block</source>
      <translation>Gewichte von MatMul und Gemm in 4 Bit speichern, mit einer Skala für jeden Block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights of MatMul and Gemm in 8 bits, with a scale for each block</source>
      <translation>Gewichte von MatMul und Gemm in 8 Bit speichern, mit einer Skala für jeden Block</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>store weights of MatMul as 4-bit indices of 16 normally distributed values</source>
      <translation>Gewichte von MatMul als 4-Bit-Indizes von 16 normalverteilten Werten speichern</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>take 8-bit RGB images (height, width, channels), and resize and normalize them in the model, as Preview does</source>
      <translation>8-Bit-RGB-Bilder (Höhe, Breite, Kanäle) annehmen und im Modell skalieren und normalisieren, wie es die Vorschau tut</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>take the values of a weight from a NumPy file (.npy)</source>
      <translation>die Werte eines Gewichts aus einer NumPy-Datei (.npy) nehmen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>tensor or layer</source>
      <translation>Tensor oder Schicht</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>tensors or layers where the part begins, separated by '+'</source>
      <translation>Tensoren oder Schichten, bei denen der Teil beginnt, getrennt durch '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>tensors or layers where the part ends, separated by '+'</source>
      <translation>Tensoren oder Schichten, bei denen der Teil endet, getrennt durch '+'</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>training information</source>
      <translation>Trainingsinformationen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>value in JSON, such as [1,1]</source>
      <translation>Wert in JSON, zum Beispiel [1,1]</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>weights that share a scale</source>
      <translation>Gewichte, die sich eine Skala teilen</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>what the output becomes</source>
      <translation>was aus der Ausgabe wird</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>when weights become float32. load: once, so that runs are as fast as before; run: in each run, by DequantizeLinear, which takes less memory and is the form that TensorRT computes in float8</source>
      <translation>wann Gewichte zu float32 werden. load: einmal, sodass Läufe so schnell wie vorher sind; run: in jedem Lauf, durch DequantizeLinear, was weniger Speicher braucht und die Form ist, die TensorRT in float8 rechnet</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>whether each output channel of a weight has its own scale</source>
      <translation>ob jeder Ausgabekanal eines Gewichts eine eigene Skala hat</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>whether inputs and outputs stay float32</source>
      <translation>ob Eingaben und Ausgaben float32 bleiben</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>whether to measure the range of each result before it is rounded</source>
      <translation>ob der Wertebereich jedes Ergebnisses vor dem Runden gemessen wird</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>which of the two parts to keep</source>
      <translation>welcher der beiden Teile behalten wird</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>which parts of each layer to quantize, to find the cause of an error: all (weights and all values around them), own (weights and the outputs of the layer), or only one of the two</source>
      <translation>welche Teile der Schichten quantisiert werden, um die Ursache eines Fehlers zu finden: all (Gewichte und alle Werte um sie herum), own (Gewichte und die Ausgaben der Schicht) oder nur eines von beiden</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>which values become zero: the smallest, or the two smallest in each group of four</source>
      <translation>welche Werte null werden: die kleinsten oder die zwei kleinsten in jeder Vierergruppe</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>with method=percentile: percentage of the values inside the range</source>
      <translation>mit method=percentile: Prozentsatz der Werte innerhalb des Bereichs</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>write a model in the ORT format as ONNX, with the layers that ONNX Runtime made</source>
      <translation>ein Modell im ORT-Format als ONNX schreiben, mit den Schichten, die ONNX Runtime daraus gemacht hat</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>write the file format that minimal builds of ONNX Runtime load</source>
      <translation>das Dateiformat schreiben, das minimale Builds von ONNX Runtime laden</translation>
    </message>
    <message>
      <location filename="inspector/conversion/registry.py"></location>
      <source>write the model with another IR version, without changing the graph</source>
      <translation>das Modell mit einer anderen IR-Version schreiben, ohne den Graphen zu ändern</translation>
    </message>
    <message>
      <location filename="inspector/model/model.py"></location>
      <source>constants</source>
      <translation>Konstanten</translation>
    </message>
    <message>
      <location filename="inspector/model/model.py"></location>
      <source>parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>CSV (combinations)</source>
      <translation>CSV (Kombinationen)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>CSV (events)</source>
      <translation>CSV (Ereignisse)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>CSV (files)</source>
      <translation>CSV (Dateien)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>CSV (layers)</source>
      <translation>CSV (Schichten)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>CSV (operator types)</source>
      <translation>CSV (Operatortypen)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Chrome trace</source>
      <translation>Chrome-Trace</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Image (PNG)</source>
      <translation>Bild (PNG)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Image (SVG)</source>
      <translation>Bild (SVG)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Inspector report (JSON)</source>
      <translation>Inspector-Bericht (JSON)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Inspector sweep (JSON)</source>
      <translation>Inspector-Messreihe (JSON)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>JSON</source>
      <translation>JSON</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Layer times for Model Explorer</source>
      <translation>Schichtzeiten für Model Explorer</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Layer times for Netron</source>
      <translation>Schichtzeiten für Netron</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Markdown</source>
      <translation>Markdown</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>NumPy arrays</source>
      <translation>NumPy-Arrays</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>PDF</source>
      <translation>PDF</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Plots (PNG)</source>
      <translation>Diagramme (PNG)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Plots (SVG)</source>
      <translation>Diagramme (SVG)</translation>
    </message>
    <message>
      <location filename="inspector/render/registry.py"></location>
      <source>Web page</source>
      <translation>Webseite</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Adds a column for each selected device, with an estimate of whether it supports each layer, from the support tables of the execution providers</source>
      <translation>Fügt für jedes ausgewählte Gerät eine Spalte hinzu mit einer Schätzung, ob es die jeweilige Schicht unterstützt, aus den Unterstützungstabellen der Ausführungsanbieter</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>All</source>
      <translation>Alle</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Allocate from the runtime's memory arena instead of the system</source>
      <translation>Speicher aus der Arena der Laufzeitumgebung statt vom System anfordern</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Also load the model this many times in one process, and run all sessions at once. Measures memory, load time and latency: with nothing shared, with a shared memory arena, and with shared threads</source>
      <translation>Das Modell auch so oft in einem Prozess laden und Speicher, Ladezeit und Latenz aller zugleich messen: ohne gemeinsame Ressourcen, mit gemeinsamer Speicherarena und mit gemeinsamen Threads</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Also measure run_async and compare it with run: the time until it returns, until its callback begins, and until the caller has the outputs</source>
      <translation>Auch run_async messen und mit run vergleichen: die Zeit bis zur Rückkehr, bis zum Beginn des Callbacks und bis der Aufrufer die Ausgaben hat</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Asynchronous calls</source>
      <translation>Asynchrone Aufrufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Basic</source>
      <translation>Einfach</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Batch sizes</source>
      <translation>Batchgrößen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Bytes</source>
      <translation>Bytes</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Check support for</source>
      <translation>Unterstützung prüfen für</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Compare each layer with the device's peak compute and memory rates, measured once on this machine</source>
      <translation>Jede Schicht mit der Spitzenrechenleistung und Spitzenspeicherbandbreite des Geräts vergleichen, die auf diesem Rechner einmal gemessen werden</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Compare the outputs with those of an unoptimized run on the CPU</source>
      <translation>Die Ausgaben mit denen eines nicht optimierten Laufs auf der CPU vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Compiled</source>
      <translation>Kompiliert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Compute with zero instead of numbers below 1.2e-38, with which some CPUs are slow; outputs may change where a model depends on them</source>
      <translation>Mit null statt mit Zahlen unter 1,2e-38 rechnen, mit denen manche CPUs langsam sind; Ausgaben können sich ändern, wo ein Modell von ihnen abhängt</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Context lengths</source>
      <translation>Kontextlängen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Custom operators</source>
      <translation>Eigene Operatoren</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Data type in which floating-point layers are computed. OpenVINO's default depends on the device and may round to 16 bits; float32 does not.</source>
      <translation>Datentyp, in dem Gleitkommaschichten berechnet werden. Der Standard von OpenVINO hängt vom Gerät ab und kann auf 16 Bit runden; float32 rundet nicht.</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Device default</source>
      <translation>Gerätestandard</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Execution mode</source>
      <translation>Ausführungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Execution provider options</source>
      <translation>Optionen des Ausführungsanbieters</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Extended</source>
      <translation>Erweitert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Flush subnormals to zero</source>
      <translation>Subnormale Zahlen durch null ersetzen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Forced to CPU</source>
      <translation>Auf der CPU erzwungen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Graph optimization level: how far ONNX Runtime rewrites and fuses layers</source>
      <translation>Stufe der Graphoptimierung: wie weit ONNX Runtime Schichten umschreibt und fusioniert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>How the model is passed to the runtime: as a file, as its bytes, re-serialized by Inspector, or in the form that the device compiled earlier</source>
      <translation>Wie das Modell an die Laufzeitumgebung übergeben wird: als Datei, als Bytes, von Inspector neu serialisiert oder in der Form, die das Gerät zuvor kompiliert hat</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>I/O binding</source>
      <translation>I/O-Bindung</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Idle threads busy-wait for work: lower latency, but a core stays busy</source>
      <translation>Untätige Threads warten aktiv auf Arbeit: geringere Latenz, aber ein Kern bleibt beschäftigt</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>If a layer fails on the device, force it to the CPU, mark it in the report, and measure again</source>
      <translation>Wenn eine Schicht auf dem Gerät fehlschlägt, sie auf der CPU erzwingen, im Bericht kennzeichnen und erneut messen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>If the CPU was throttled or busy, keep running for up to this long until enough runs were at full CPU speed; processes that never reached it are repeated</source>
      <translation>War die CPU gedrosselt oder ausgelastet, bis zu dieser Dauer weitermessen, bis genügend Läufe bei vollem CPU-Tempo erfolgt sind; Prozesse, die sie nie erreichten, werden wiederholt</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Inference precision</source>
      <translation>Inferenzpräzision</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Inputs and outputs</source>
      <translation>Eingaben und Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Inter-op threads</source>
      <translation>Inter-op-Threads</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Keep running for at least this long</source>
      <translation>Mindestens so lange messen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Keep running until the 95% confidence interval of the median is this narrow</source>
      <translation>Weitermessen, bis das 95%-Konfidenzintervall des Medians so schmal ist</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Latency</source>
      <translation>Latenz</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Layers that always run on the CPU, by name, index or pattern such as '/head/*': to raise accuracy or to isolate a failure</source>
      <translation>Schichten, die immer auf der CPU laufen, nach Name, Index oder Muster wie „/head/*“: für mehr Genauigkeit, oder um einen Fehler einzugrenzen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Libraries that provide custom operators of this model. Their code runs in the engine process: choose only those you trust</source>
      <translation>Bibliotheken mit eigenen Operatoren dieses Modells. Ihr Code läuft im Engine-Prozess: nur vertrauenswürdige wählen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Load from</source>
      <translation>Laden aus</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Load the model again with runtime logging enabled to time each load phase, and once more to count prepacked weights</source>
      <translation>Das Modell mit eingeschalteter Protokollierung der Laufzeitumgebung erneut laden, um jede Ladephase zu messen, und ein weiteres Mal, um vorgepackte Gewichte zu zählen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Memory arena</source>
      <translation>Speicherarena</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Memory pattern</source>
      <translation>Speichermuster</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Minimum duration</source>
      <translation>Mindestdauer</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Move failing layers to the CPU</source>
      <translation>Fehlschlagende Schichten auf die CPU verlagern</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>New tokens</source>
      <translation>Neue Tokens</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>None</source>
      <translation>Keine</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Number of intra-op threads that share the work of one operator</source>
      <translation>Anzahl der Intra-op-Threads, die sich die Arbeit eines Operators teilen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Number of operators that run at the same time in the parallel execution mode</source>
      <translation>Anzahl der Operatoren, die im parallelen Ausführungsmodus gleichzeitig laufen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Number of runs that OpenVINO performs at the same time</source>
      <translation>Anzahl der Läufe, die OpenVINO gleichzeitig ausführt</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Number of timed runs</source>
      <translation>Zahl der gemessenen Läufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Number of warm-up runs</source>
      <translation>Zahl der Aufwärmläufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Of a language model, generate this many sequences at once</source>
      <translation>Bei einem Sprachmodell so viele Sequenzen gleichzeitig erzeugen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Of a language model, generate this many tokens at each context</source>
      <translation>Bei einem Sprachmodell bei jedem Kontext so viele Tokens erzeugen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Of a language model, measure the time between tokens after this many earlier tokens</source>
      <translation>Bei einem Sprachmodell die Zeit zwischen Tokens nach so vielen früheren Tokens messen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Of a language model, measure the time to the first token with prompts of this many tokens</source>
      <translation>Bei einem Sprachmodell die Zeit bis zum ersten Token mit Prompts von so vielen Tokens messen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Off</source>
      <translation>Aus</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>On GPUs that run asynchronously, wait for each layer to finish before starting the next. Slow, and each time includes a round trip to the device</source>
      <translation>Auf asynchron arbeitenden GPUs das Ende jeder Schicht abwarten, bevor die nächste beginnt. Langsam, und jede Zeit enthält einen Weg zum Gerät und zurück</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>On device</source>
      <translation>Auf dem Gerät</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Optimization</source>
      <translation>Optimierung</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Options for the execution provider of the first device that is not the CPU; with OpenVINO, its properties, such as CACHE_DIR=FOLDER</source>
      <translation>Optionen für den Ausführungsanbieter des ersten Geräts, das nicht die CPU ist; bei OpenVINO dessen Eigenschaften, etwa CACHE_DIR=ORDNER</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Parallel</source>
      <translation>Parallel</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Pass inputs with each call (None), bind inputs to memory once, also bind outputs, or keep both in device memory</source>
      <translation>Eingaben bei jedem Aufruf übergeben (Keine), Eingaben einmal an Speicher binden, auch Ausgaben binden oder beide im Gerätespeicher halten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Performance hint</source>
      <translation>Leistungsvorgabe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Preallocate memory for the shapes of earlier runs</source>
      <translation>Speicher für die Formen früherer Läufe vorab anfordern</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Processes</source>
      <translation>Prozesse</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Profile model loading</source>
      <translation>Laden des Modells profilieren</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Prompt lengths</source>
      <translation>Promptlängen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Re-serialized copy</source>
      <translation>Neu serialisierte Kopie</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Repeat the measurement in this many new processes, because results differ between processes</source>
      <translation>Die Messung in so vielen neuen Prozessen wiederholen, weil sich Ergebnisse zwischen Prozessen unterscheiden</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Roofline analysis</source>
      <translation>Roofline-Analyse</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Run one operator at a time, or independent operators in parallel</source>
      <translation>Einen Operator nach dem anderen ausführen oder unabhängige Operatoren parallel</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Run supported layers with XNNPACK instead of LiteRT's own kernels</source>
      <translation>Unterstützte Schichten mit XNNPACK statt mit den eigenen Kerneln von LiteRT ausführen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Runs</source>
      <translation>Läufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Sequential</source>
      <translation>Sequenziell</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Sessions</source>
      <translation>Sitzungen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Streams</source>
      <translation>Streams</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Synchronize layers</source>
      <translation>Schichten synchronisieren</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Target width of interval</source>
      <translation>Angestrebte Intervallbreite</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>The CPU provider has no options; choose another device</source>
      <translation>Der CPU-Anbieter hat keine Optionen; ein anderes Gerät auswählen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>The CPU runs all layers. To force layers onto the CPU, choose another device first.</source>
      <translation>Die CPU führt alle Schichten aus. Um Schichten auf der CPU zu erzwingen, zuerst ein anderes Gerät auswählen.</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Thread spinning</source>
      <translation>Aktives Warten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Threads</source>
      <translation>Threads</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Throughput</source>
      <translation>Durchsatz</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Verify outputs</source>
      <translation>Ausgaben überprüfen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Wait for full CPU speed</source>
      <translation>Auf volles CPU-Tempo warten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Warm-up runs</source>
      <translation>Aufwärmläufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>Whether OpenVINO uses all cores for one run (latency), or divides them among several concurrent runs (throughput)</source>
      <translation>Ob OpenVINO alle Kerne für einen Lauf nutzt (Latenz) oder sie auf mehrere gleichzeitige Läufe verteilt (Durchsatz)</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>XNNPACK</source>
      <translation>XNNPACK</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <location filename="inspector/units.py"></location>
      <source>all</source>
      <translation>alle</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>asynchronous calls</source>
      <translation>asynchrone Aufrufe</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>at context {value}</source>
      <translation>bei Kontext {value}</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>at least {value} s</source>
      <translation>mindestens {value} s</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>background load</source>
      <translation>zusätzliche Last</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/units.py"></location>
      <source>basic</source>
      <translation>einfach</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>batch {value}</source>
      <translation>Batch {value}</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>bfloat16</source>
      <translation>bfloat16</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>custom operators</source>
      <translation>eigene Operatoren</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>default</source>
      <translation>Standard</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>device</source>
      <translation>Gerät</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>device default</source>
      <translation>Voreinstellung des Geräts</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>execution</source>
      <translation>Ausführung</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>execution provider options</source>
      <translation>Optionen des Ausführungsanbieters</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/units.py"></location>
      <source>extended</source>
      <translation>erweitert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>float16</source>
      <translation>float16</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>float32</source>
      <translation>float32</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>inference precision</source>
      <translation>Rechenpräzision</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>input conversion</source>
      <translation>Umwandlung der Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>inputs</source>
      <translation>Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>inputs and outputs</source>
      <translation>Eingaben und Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>inter-op threads</source>
      <translation>Inter-op-Threads</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>latency</source>
      <translation>Latenz</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>layers forced to the CPU</source>
      <translation>auf die CPU gezwungene Schichten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>layers synchronized</source>
      <translation>Schichten synchronisiert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>load from</source>
      <translation>Laden aus</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>loaded from {value}</source>
      <translation>geladen aus: {value}</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>memory arena</source>
      <translation>Speicherarena</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>memory pattern</source>
      <translation>Speichermuster</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>model loading profiled</source>
      <translation>Laden des Modells profiliert</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>move failing layers to the CPU</source>
      <translation>fehlschlagende Schichten auf die CPU verlagern</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/graph/search.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/widgets/fields.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <location filename="inspector/units.py"></location>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>not measured</source>
      <translation>nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>on device</source>
      <translation>auf dem Gerät</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>optimization</source>
      <translation>Optimierung</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>outputs verified</source>
      <translation>Ausgaben überprüft</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>parallel</source>
      <translation>parallel</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>performance hint</source>
      <translation>Leistungsziel</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>prompts of {value} tokens</source>
      <translation>Prompts mit {value} Tokens</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>roofline</source>
      <translation>Roofline</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>sequential</source>
      <translation>sequenziell</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>sizes of dynamic axes</source>
      <translation>Größen dynamischer Achsen</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>spinning</source>
      <translation>aktives Warten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>streams</source>
      <translation>Streams</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>subnormals flushed to zero</source>
      <translation>subnormale Zahlen durch null ersetzt</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>support checked for: {value}</source>
      <translation>Unterstützung geprüft für: {value}</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>threads</source>
      <translation>Threads</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>throughput</source>
      <translation>Durchsatz</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>until median within ±{value}%</source>
      <translation>bis Median auf ±{value} % genau</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>wait up to {value} s for full CPU speed</source>
      <translation>bis zu {value} s auf volles CPU-Tempo warten</translation>
    </message>
    <message>
      <location filename="inspector/report/run_spec.py"></location>
      <source>{value} new tokens</source>
      <translation>{value} neue Tokens</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Event</source>
      <translation>Ereignis</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>Iteration</source>
      <translation>Iteration</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>Lane</source>
      <translation>Bahn</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Model</source>
      <translation>Modell</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Thread</source>
      <translation>Thread</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Track</source>
      <translation>Spur</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>event</source>
      <translation>Ereignis</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>iteration</source>
      <translation>Iteration</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>lane</source>
      <translation>Bahn</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>layer</source>
      <translation>Schicht</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>operator</source>
      <translation>Operator</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>thread</source>
      <translation>Thread</translation>
    </message>
    <message>
      <location filename="inspector/trace/aggregation.py"></location>
      <source>track</source>
      <translation>Spur</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py"></location>
      <source>Activity</source>
      <translation>Aktivität</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py"></location>
      <source>Compute</source>
      <translation>Berechnung</translation>
    </message>
    <message>
      <location filename="inspector/trace/trace.py"></location>
      <source>Data</source>
      <translation>Daten</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py"></location>
      <source>Please report it, with what you did.</source>
      <translation>Bitte melden, zusammen mit den letzten Schritten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py"></location>
      <source>Please report it and attach this file: {path}</source>
      <translation>Bitte melden und diese Datei beilegen: {path}</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py"></location>
      <source>this is a bug, not something you did ({error} in {place})</source>
      <translation>das ist ein Fehler des Programms, kein Bedienfehler ({error} in {place})</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py"></location>
      <source>unknown place</source>
      <translation>unbekannte Stelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/background.py"></location>
      <source>Internal error in Inspector</source>
      <translation>Interner Fehler in Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py"></location>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>No class names</source>
      <translation>Keine Klassennamen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py"></location>
      <source>From a file…</source>
      <translation>Aus Datei …</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py"></location>
      <source>Class names (*.txt *.json *.csv *.names);;All files (*)</source>
      <translation>Klassennamen (*.txt *.json *.csv *.names);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/class_names.py"></location>
      <source>Class names</source>
      <translation>Klassennamen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/diff_document.py"></location>
      <source>{first} and {other}</source>
      <translation>{first} und {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/diff_document.py"></location>
      <location filename="inspector/ui/documents/improving.py"></location>
      <location filename="inspector/ui/documents/improving_inputs.py"></location>
      <location filename="inspector/ui/documents/recipe_editing.py"></location>
      <location filename="inspector/ui/documents/stepping.py"></location>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Stopped</source>
      <translation>Angehalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Opening</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Running the model</source>
      <translation>Modell wird ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Measuring</source>
      <translation>Messung</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Measuring device peak</source>
      <translation>Spitzenleistung des Geräts wird gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Running sweep</source>
      <translation>Messreihe läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Running layer by layer</source>
      <translation>Schicht für Schicht ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Generating</source>
      <translation>Text wird erzeugt</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Report</source>
      <translation>Bericht</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Convert the original model to one of these formats and open that.</source>
      <translation>Das ursprüngliche Modell in eines dieser Formate konvertieren und dieses öffnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Only ONNX and TensorFlow Lite models can be changed</source>
      <translation>Nur ONNX- und TensorFlow-Lite-Modelle können geändert werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Improving</source>
      <translation>Verbessern</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Stopped before the next step</source>
      <translation>Vor dem nächsten Schritt angehalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Could not run {name}</source>
      <translation>{name} konnte nicht ausgeführt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Restore it, or open it from its new location.</source>
      <translation>Die Datei wiederherstellen oder vom neuen Ort öffnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>the file was deleted or renamed</source>
      <translation>die Datei wurde gelöscht oder umbenannt</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>the file has changed on disk since it was opened</source>
      <translation>die Datei wurde seit dem Öffnen auf dem Datenträger geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/document.py"></location>
      <source>Reload it with F5, then run it again.</source>
      <translation>Mit F5 neu laden und dann erneut ausführen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/edits/editing.py"></location>
      <source>Only the graphs of ONNX models can be edited.</source>
      <translation>Nur Graphen von ONNX-Modellen können bearbeitet werden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/edits/summary.py"></location>
      <source>{edits}, not saved</source>
      <translation>{edits}, nicht gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/edits/summary.py"></location>
      <source>{edits}, saved as {name}</source>
      <translation>{edits}, gespeichert als {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/exported_report.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>an image</source>
      <translation>ein Bild</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/exported_report.py"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py"></location>
      <source>Class {index}</source>
      <translation>Klasse {index}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Images (*.png *.svg)</source>
      <translation>Bilder (*.png *.svg)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>SVG in columns, for a page (*.svg)</source>
      <translation>SVG in Spalten, für eine Seite (*.svg)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Choose a library with the custom operators of {name}</source>
      <translation>Eine Bibliothek mit den eigenen Operatoren von {name} auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Libraries (*.so *.so.* *.dll *.dylib *.pyd);;All files (*)</source>
      <translation>Bibliotheken (*.so *.so.* *.dll *.dylib *.pyd);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Saving {name}…</source>
      <translation>{name} wird gespeichert …</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <location filename="inspector/ui/documents/improving.py"></location>
      <location filename="inspector/ui/documents/recipe_editing.py"></location>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Saved {name}</source>
      <translation>{name} gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Export report</source>
      <translation>Bericht exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Save results</source>
      <translation>Ergebnisse speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Export sweep</source>
      <translation>Messreihe exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Export comparison</source>
      <translation>Vergleich exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Export differences</source>
      <translation>Unterschiede exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Save image</source>
      <translation>Bild speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Save whole graph</source>
      <translation>Ganzen Graphen speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>: {width:,.0f} × {height:,.0f} px, a strip to scroll in a browser; for a page, save with the file type “{kind}”</source>
      <translation>: {width:,.0f} × {height:,.0f} px, ein Streifen zum Scrollen im Browser; für eine Seite den Dateityp „{kind}“ wählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source> at {share} of its size; SVG keeps all names readable</source>
      <translation> mit {share} der Größe; als SVG bleiben alle Namen lesbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/file_dialogs.py"></location>
      <source>Open models, reports and traces</source>
      <translation>Modelle, Berichte und Traces öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Running the recipe</source>
      <translation>Rezept wird ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Searching</source>
      <translation>Suche läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Saving the model</source>
      <translation>Modell wird gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Ranking layers</source>
      <translation>Rangfolge der Schichten wird ermittelt</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>converting</source>
      <translation>konvertieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>running calibration inputs</source>
      <translation>Kalibrierungseingaben ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>checking that the new model runs</source>
      <translation>prüfen, ob das neue Modell läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>running test inputs</source>
      <translation>Testeingaben ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>queued behind another measurement</source>
      <translation>hinter einer anderen Messung eingereiht</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>comparing layers with the original</source>
      <translation>Schichten mit dem Original vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>quantizing one layer at a time</source>
      <translation>eine Schicht nach der anderen quantisieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>keeping the worst layers in float</source>
      <translation>die schlechtesten Schichten als Gleitkomma belassen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>measuring interleaved with the original</source>
      <translation>abwechselnd mit dem Original messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Could not run the recipe</source>
      <translation>Das Rezept konnte nicht ausgeführt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>a step needs typical inputs to determine value ranges</source>
      <translation>ein Schritt benötigt typische Eingaben, um Wertebereiche zu bestimmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Choose a calibration folder under Test data.</source>
      <translation>Unter „Testdaten“ einen Kalibrierungsordner auswählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Could not rank the layers</source>
      <translation>Die Rangfolge der Schichten konnte nicht ermittelt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Could not save {name}</source>
      <translation>{name} konnte nicht gespeichert werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>this is the original model</source>
      <translation>das ist das ursprüngliche Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Choose another name.</source>
      <translation>Einen anderen Namen wählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>the resulting model does not run: {problem}</source>
      <translation>das entstandene Modell läuft nicht: {problem}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>some files are in both the calibration and the test folder</source>
      <translation>einige Dateien liegen sowohl im Kalibrierungs- als auch im Testordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>Use different files; otherwise, the accuracy would look better than it is.</source>
      <translation>Verschiedene Dateien verwenden; sonst sähe die Genauigkeit besser aus, als sie ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>candidate {number} of up to {total}: {name}</source>
      <translation>Kandidat {number} von höchstens {total}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>candidate {number} of {total}: {name}</source>
      <translation>Kandidat {number} von {total}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving.py"></location>
      <source>done</source>
      <translation>fertig</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/improving_inputs.py"></location>
      <source>the input in Preview</source>
      <translation>die Eingabe in der Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/language/speaking.py"></location>
      <source>edited</source>
      <translation>geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recipe_editing.py"></location>
      <source>it is in the recipe already</source>
      <translation>der Schritt ist bereits im Rezept</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>a quotation mark is not closed</source>
      <translation>ein Anführungszeichen ist nicht geschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>For example: python app.py</source>
      <translation>Zum Beispiel: python app.py</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>there is no program to run</source>
      <translation>es ist kein Programm angegeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Choose another folder.</source>
      <translation>Einen anderen Ordner auswählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>there is no folder {named}</source>
      <translation>es gibt keinen Ordner {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>For a script: python {named}</source>
      <translation>Für ein Skript: python {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>{named} is not executable</source>
      <translation>{named} ist nicht ausführbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Check the name, or enter the full path of the program.</source>
      <translation>Den Namen prüfen oder den vollständigen Pfad des Programms eingeben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Write python3 instead of python.</source>
      <translation>python3 statt python schreiben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>there is no program {named}</source>
      <translation>es gibt kein Programm {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Check the command line.</source>
      <translation>Die Befehlszeile prüfen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Could not record</source>
      <translation>Die Aufzeichnung ist fehlgeschlagen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Try again.</source>
      <translation>Erneut versuchen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>the program printed nothing</source>
      <translation>das Programm hat nichts ausgegeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Start the program without Inspector to see whether it runs.</source>
      <translation>Das Programm ohne Inspector starten, um zu sehen, ob es läuft.</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/recorded_program.py"></location>
      <source>Nothing was recorded</source>
      <translation>Es wurde nichts aufgezeichnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/services.py"></location>
      <source>No runtime that Inspector has loads this file</source>
      <translation>Keine Laufzeitumgebung von Inspector lädt diese Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/services.py"></location>
      <source>{name} does not load this file</source>
      <translation>{name} lädt diese Datei nicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/services.py"></location>
      <source>{hint}, or choose {device} as the device</source>
      <translation>{hint}, oder {device} als Gerät wählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/stepping.py"></location>
      <source>Could not read {tensor}</source>
      <translation>{tensor} konnte nicht gelesen werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/stepping.py"></location>
      <source>it is no tensor</source>
      <translation>es ist kein Tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/sweeping.py"></location>
      <source>comparing the models' outputs</source>
      <translation>Ausgaben der Modelle vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/sweeping.py"></location>
      <source>measurement {done:,} of {done_2:,}: {text}</source>
      <translation>Messung {done:,} von {done_2:,}: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/weight_reading.py"></location>
      <source>Reading stopped</source>
      <translation>Lesen angehalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/documents/workspace.py"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Recording</source>
      <translation>Aufzeichnung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Linear algebra</source>
      <translation>Lineare Algebra</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Activation</source>
      <translation>Aktivierung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Normalization, pooling</source>
      <translation>Normalisierung, Pooling</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Element-wise</source>
      <translation>Elementweise</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Data movement</source>
      <translation>Datenbewegung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Other</source>
      <translation>Sonstige</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>8 bits or fewer</source>
      <translation>8 Bit oder weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Integers of 16 bits or more</source>
      <translation>Ganzzahlen ab 16 Bit</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Negligible time</source>
      <translation>Vernachlässigbare Zeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Under 10%</source>
      <translation>Unter 10%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Under 30%</source>
      <translation>Unter 30%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Under 60%</source>
      <translation>Unter 60%</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Slowest</source>
      <translation>Am langsamsten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Identical</source>
      <translation>Identisch</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Within tolerance</source>
      <translation>Innerhalb der Toleranz</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>NaN</source>
      <translation>NaN</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Exceeds tolerance</source>
      <translation>Über der Toleranz</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>First difference</source>
      <translation>Erster Unterschied</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Runs as a separate node</source>
      <translation>Läuft als eigener Knoten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Fused into another layer</source>
      <translation>In eine andere Schicht fusioniert</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Merged or moved</source>
      <translation>Zusammengefasst oder verschoben</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Computed during loading</source>
      <translation>Beim Laden berechnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/graph/paint_edits.py"></location>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Removed</source>
      <translation>Entfernt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Unknown</source>
      <translation>Unbekannt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Operator family</source>
      <translation>Operatorfamilie</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/graph/executed.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>Time</source>
      <translation>Zeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Time (estimated)</source>
      <translation>Zeit (geschätzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Type</source>
      <translation>Typ</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Difference</source>
      <translation>Unterschied</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>MACs</source>
      <translation>MACs</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Memory traffic</source>
      <translation>Speicherverkehr</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Weight size</source>
      <translation>Größe der Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Output size</source>
      <translation>Größe der Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Activations in memory (estimated)</source>
      <translation>Aktivierungen im Speicher (geschätzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Arena in use (measured)</source>
      <translation>Belegte Arena (gemessen)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Weight sparsity</source>
      <translation>Anteil der Nullen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Relative error</source>
      <translation>Relativer Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>As executed</source>
      <translation>Wie ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Time (estimated, {device})</source>
      <translation>Zeit (geschätzt, {device})</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/coloring.py"></location>
      <source>Activations in memory (estimated from shapes)</source>
      <translation>Aktivierungen im Speicher (aus den Formen geschätzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/canvas.py"></location>
      <source>Graph, edit mode</source>
      <translation>Graph, Bearbeitungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/fields.py"></location>
      <source>not set</source>
      <translation>nicht gesetzt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Insert after {name}</source>
      <translation>Nach {name} einfügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Search operators</source>
      <translation>Operatoren suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>chosen automatically</source>
      <translation>automatisch gewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Insert</source>
      <translation>Einfügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Other inputs</source>
      <translation>Weitere Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/views/machines/upload_question.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <location filename="inspector/ui/widgets/progress.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <location filename="inspector/ui/window/messages.py"></location>
      <location filename="inspector/ui/window/status.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>No operator found</source>
      <translation>Kein Operator gefunden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Search for another name or purpose.</source>
      <translation>Suchen Sie nach einem anderen Namen oder Zweck.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <source>Names of tensors; separate several with commas</source>
      <translation>Namen von Tensoren; mehrere mit Kommas trennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/insert_dialog.py"></location>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Operators</source>
      <translation>Operatoren</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Edit metadata…</source>
      <translation>Metadaten bearbeiten…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <location filename="inspector/ui/tabs/improve/actions_card.py"></location>
      <location filename="inspector/ui/tabs/improve/lists.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>checking…</source>
      <translation>wird geprüft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Keep above</source>
      <translation>Oberes behalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Keep below</source>
      <translation>Unteres behalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Cut here</source>
      <translation>Hier schneiden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Rename…</source>
      <translation>Umbenennen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Bypass</source>
      <translation>Umgehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Delete</source>
      <translation>Löschen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Insert after…</source>
      <translation>Danach einfügen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>the operator has no attributes</source>
      <translation>der Operator hat keine Attribute</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Edit attributes…</source>
      <translation>Attribute bearbeiten…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Keep between</source>
      <translation>Dazwischen behalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Delete {layers}</source>
      <translation>{layers} löschen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Replace values…</source>
      <translation>Werte ersetzen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Insert here…</source>
      <translation>Hier einfügen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Edit axes…</source>
      <translation>Achsen bearbeiten…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Change type</source>
      <translation>Typ ändern</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/offers.py"></location>
      <source>Extract selection as model…</source>
      <translation>Auswahl als Modell herauslösen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Edit</source>
      <translation>Bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Edits</source>
      <translation>Änderungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>A recipe is a file that repeats these edits on other models.</source>
      <translation>Ein Rezept ist eine Datei, die diese Änderungen an anderen Modellen wiederholt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Save recipe…</source>
      <translation>Rezept speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>No edits yet. Right-click a layer, an input or an output.</source>
      <translation>Noch keine Änderungen. Klicken Sie mit rechts auf eine Schicht, eine Eingabe oder eine Ausgabe.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>With the preview</source>
      <translation>Mit der Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Layers</source>
      <translation>Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Weights</source>
      <translation>Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>layer {number} of {count}</source>
      <translation>Schicht {number} von {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Layer name</source>
      <translation>Name der Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Output name</source>
      <translation>Name der Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Name of output {number}</source>
      <translation>Name der Ausgabe {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>input of the model</source>
      <translation>Eingabe des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>read by {layers}</source>
      <translation>gelesen von {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>output of the model</source>
      <translation>Ausgabe des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Replace the values of {name} by those of a .npy file</source>
      <translation>Die Werte von {name} durch die einer .npy-Datei ersetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Axes</source>
      <translation>Achsen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>any length</source>
      <translation>beliebige Länge</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Axis {number}</source>
      <translation>Achse {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>A number fixes an axis; a name makes it dynamic.</source>
      <translation>Eine Zahl legt eine Achse fest; ein Name macht sie dynamisch.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Tensor</source>
      <translation>Tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Outputs</source>
      <translation>Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Edit name, type and axes</source>
      <translation>Name, Typ und Achsen ändern</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Metadata</source>
      <translation>Metadaten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>new entry</source>
      <translation>neuer Eintrag</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>An empty value removes an entry.</source>
      <translation>Ein leerer Wert entfernt einen Eintrag.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Undo edit {number}</source>
      <translation>Änderung {number} zurücknehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>preview</source>
      <translation>Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Click</source>
      <translation>Klick</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/pane.py"></location>
      <source>Enter</source>
      <translation>Eingabetaste</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>changed</source>
      <translation>geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>new</source>
      <translation>neu</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>rewired</source>
      <translation>neu verbunden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>bypassed</source>
      <translation>umgangen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>output</source>
      <translation>Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>input</source>
      <translation>Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>{count} of {layers}</source>
      <translation>{count} von {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>the input “{name}”</source>
      <translation>die Eingabe „{name}“</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>the output “{name}”</source>
      <translation>die Ausgabe „{name}“</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/previewing.py"></location>
      <source>{first} and {last}</source>
      <translation>{first} und {last}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Checking…</source>
      <translation>Wird geprüft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Checked: loads and runs</source>
      <translation>Geprüft: lädt und läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Loads; run not checked</source>
      <translation>Lädt; Lauf nicht geprüft</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Loads but does not run</source>
      <translation>Lädt, läuft aber nicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Does not load</source>
      <translation>Lädt nicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Not checked</source>
      <translation>Nicht geprüft</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>{text}: {name}</source>
      <translation>{text}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>{text}, as before the edits</source>
      <translation>{text}, wie vor den Änderungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Open the copy</source>
      <translation>Kopie öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/preview/result_pane.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Undo</source>
      <translation>Rückgängig</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Redo</source>
      <translation>Wiederholen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Save a copy as…</source>
      <translation>Kopie speichern unter…</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>No edits yet</source>
      <translation>Noch keine Änderungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Right-click a layer, an input or an output</source>
      <translation>Mit rechts auf eine Schicht, eine Eingabe oder eine Ausgabe klicken</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Saved as {name}</source>
      <translation>Gespeichert als {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Check now</source>
      <translation>Jetzt prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/strip.py"></location>
      <source>Stop checking</source>
      <translation>Prüfung abbrechen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>NumPy arrays (*.npy);;All files (*)</source>
      <translation>NumPy-Arrays (*.npy);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Recipes (*.json);;All files (*)</source>
      <translation>Rezepte (*.json);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>ONNX models (*.onnx);;All files (*)</source>
      <translation>ONNX-Modelle (*.onnx);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Enter applies the preview, Esc drops it</source>
      <translation>Eingabetaste wendet die Vorschau an, Esc verwirft sie</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>preview not included</source>
      <translation>Vorschau nicht eingerechnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>{edits} need edit {number} and are undone with it:</source>
      <translation>{edits} hängen von Änderung {number} ab und werden mit ihr zurückgenommen:</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Undo them</source>
      <translation>Zurücknehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Select a layer first.</source>
      <translation>Wählen Sie zuerst eine Schicht.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Select one layer or tensor first.</source>
      <translation>Wählen Sie zuerst eine einzelne Schicht oder einen Tensor.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>New name</source>
      <translation>Neuer Name</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Rename</source>
      <translation>Umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Select a layer or tensor first.</source>
      <translation>Wählen Sie zuerst eine Schicht oder einen Tensor.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Save recipe</source>
      <translation>Rezept speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Save a copy as</source>
      <translation>Kopie speichern unter</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/editing/view.py"></location>
      <source>Could not compare with {name}</source>
      <translation>Vergleich mit {name} nicht möglich</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>One layer</source>
      <translation>Eine Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Several layers fused</source>
      <translation>Mehrere Schichten fusioniert</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Inserted: layout conversion</source>
      <translation>Eingefügt: Layoutumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Inserted: cast</source>
      <translation>Eingefügt: Typumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Inserted: copy</source>
      <translation>Eingefügt: Kopie</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Other inserted layers</source>
      <translation>Sonstige eingefügte Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>layout conversion</source>
      <translation>Layoutumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>cast</source>
      <translation>Typumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>copy</source>
      <translation>Kopie</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>inserted</source>
      <translation>eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Graph as executed</source>
      <translation>Graph wie ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>{title}, inserted by {runtime} between {a} and {b}</source>
      <translation>{title}, von {runtime} zwischen {a} und {b} eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>{title}, inserted by {runtime} at {a}</source>
      <translation>{title}, von {runtime} bei {a} eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>{title}, inserted by {runtime}</source>
      <translation>{title}, von {runtime} eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>{shown} and {count} more</source>
      <translation>{shown} und {count} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Optimizing the graph…</source>
      <translation>Graph wird optimiert …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>{runtime} on {devices}: {summary}</source>
      <translation>{runtime} auf {devices}: {summary}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/executed.py"></location>
      <source>Select a node to see which layers it executes.</source>
      <translation>Einen Knoten auswählen, um zu sehen, welche Schichten er ausführt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/hits.py"></location>
      <source>Layers found</source>
      <translation>Gefundene Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/hits.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>and {layers}</source>
      <translation>und {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>Colors</source>
      <translation>Farben</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>Copy between devices</source>
      <translation>Kopie zwischen Geräten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>{layers} inside boxes of others</source>
      <translation>{layers} in den Kästen anderer</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>{known:,} of {total:,} layers</source>
      <translation>{known:,} von {total:,} Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>total {amount} · {layers}</source>
      <translation>gesamt {amount} · {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/legend.py"></location>
      <source>{total} · {missed} not matched to a layer</source>
      <translation>{total} · {missed} keiner Schicht zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/minimap.py"></location>
      <source>Graph overview</source>
      <translation>Graphübersicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/minimap.py"></location>
      <source>Drag to move the view</source>
      <translation>Ziehen, um den Ausschnitt zu verschieben</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/minimap.py"></location>
      <source>{scope}: {layers}, collapsed</source>
      <translation>{scope}: {layers}, eingeklappt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint.py"></location>
      <source>{name}{times} and {more} more</source>
      <translation>{name}{times} und {more} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint_boxes.py"></location>
      <source>weight {note}</source>
      <translation>Gewicht {note}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint_edits.py"></location>
      <source>Kept</source>
      <translation>Bleibt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/paint_edits.py"></location>
      <source>Preview of the cut, not applied</source>
      <translation>Vorschau des Schnitts, nicht angewendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/scene.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Function</source>
      <translation>Funktion</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/scene.py"></location>
      <source>max {written}</source>
      <translation>max. {written}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <source>Find: conv 3x3, A -&gt; B</source>
      <translation>Suchen: conv 3x3, A -&gt; B</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <source>Search the graph</source>
      <translation>Graph durchsuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <source>Previous match (Shift+Return)</source>
      <translation>Vorheriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Next match (Enter)</source>
      <translation>Nächster Treffer (Eingabe)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <source>No matches. {hint}.</source>
      <translation>Keine Treffer. {hint}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/search.py"></location>
      <source>{place:,} of </source>
      <translation>{place:,} von </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/trace/trace_export.py"></location>
      <source>PNG</source>
      <translation>PNG</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Difference between two sets of layer values</source>
      <translation>Unterschied zwischen zwei Sätzen von Schichtwerten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Numbers</source>
      <translation>Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Minus</source>
      <translation>Minus</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Boxes show the first set minus the second for layers that have a value in both.</source>
      <translation>Die Kästen zeigen den ersten Satz minus den zweiten für Schichten, die in beiden einen Wert haben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Two sets are required: measure twice, or load layer values from a file.</source>
      <translation>Zwei Sätze sind erforderlich: zweimal messen oder Schichtwerte aus einer Datei laden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Edit mode is off</source>
      <translation>Der Bearbeitungsmodus ist aus</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>There is no edit yet</source>
      <translation>Es gibt noch keine Änderung</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>No edit was undone</source>
      <translation>Keine Änderung wurde zurückgenommen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Loading the model…</source>
      <translation>Modell wird geladen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Laying out {layer_count}…</source>
      <translation>Anordnung von {layer_count} …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Copy name</source>
      <translation>Namen kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Edit this layer (E)</source>
      <translation>Diese Schicht bearbeiten (E)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <source>Show in Performance</source>
      <translation>In „Leistung“ anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>The model has not been measured</source>
      <translation>Das Modell wurde noch nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Show its outputs</source>
      <translation>Ihre Ausgaben anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Show weights</source>
      <translation>Gewichte anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>It reads no weights</source>
      <translation>Die Schicht liest keine Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Find all {operator}</source>
      <translation>Alle {operator} suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Add this view</source>
      <translation>Diese Ansicht hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Copy link to this view</source>
      <translation>Link zu dieser Ansicht kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Remove all</source>
      <translation>Alle entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Open numbers to show on layers</source>
      <translation>Werte öffnen, die an Schichten angezeigt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>CSV or JSON ({names})</source>
      <translation>CSV oder JSON ({names})</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Time, {report}</source>
      <translation>Zeit, {report}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/tab.py"></location>
      <source>Save visible part as image</source>
      <translation>Sichtbaren Teil als Bild speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Both</source>
      <translation>Beide</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Graph to show</source>
      <translation>Angezeigter Graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Model: the graph in the file. As executed: the graph after optimization, </source>
      <translation>Modell: der Graph in der Datei. Wie ausgeführt: der Graph nach der Optimierung, </translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>with fused layers and inserted casts, copies and layout conversions.</source>
      <translation>mit fusionierten Schichten und eingefügten Typumwandlungen, Kopien und Layoutumwandlungen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Color by</source>
      <translation>Einfärben nach</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Layer values from a file…</source>
      <translation>Schichtwerte aus Datei …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Difference between two sets of layer values…</source>
      <translation>Unterschied zwischen zwei Sätzen von Schichtwerten …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Zoom out (S)</source>
      <translation>Verkleinern (S)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Zoom in (W)</source>
      <translation>Vergrößern (W)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Zoom to fit (F)</source>
      <translation>Einpassen (F)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Collapse all scopes</source>
      <translation>Alle Abschnitte einklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Expand all scopes</source>
      <translation>Alle Abschnitte ausklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Save the graph as image</source>
      <translation>Graphen als Bild speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Save whole graph as SVG or PNG…</source>
      <translation>Ganzen Graphen als SVG oder PNG speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Save visible part as SVG…</source>
      <translation>Sichtbaren Teil als SVG speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Save visible part as PNG…</source>
      <translation>Sichtbaren Teil als PNG speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Edit mode</source>
      <translation>Bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>View options</source>
      <translation>Ansichtsoptionen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Draw from left to right instead of top to bottom</source>
      <translation>Von links nach rechts statt von oben nach unten zeichnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Left to right</source>
      <translation>Von links nach rechts</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Add a line with the attributes to each box</source>
      <translation>Jeden Kasten um eine Zeile mit den Attributen ergänzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Show attributes in boxes</source>
      <translation>Attribute in Kästen anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Hide Identity layers</source>
      <translation>Identity-Schichten ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Hide Identity and Dropout layers, and connect their neighbors</source>
      <translation>Identity- und Dropout-Schichten ausblenden und ihre Nachbarn verbinden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Hide layers that only compute shapes</source>
      <translation>Schichten ausblenden, die nur Formen berechnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Hide shape computations</source>
      <translation>Formberechnungen ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Bookmarks</source>
      <translation>Lesezeichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>Change the graph; the file stays as it is (E)</source>
      <translation>Den Graphen ändern; die Datei bleibt, wie sie ist (E)</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/toolbar.py"></location>
      <source>The edited graph was not measured: colors are operator families.</source>
      <translation>Der geänderte Graph wurde nicht gemessen: Farben stehen für Operatorfamilien.</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Expand</source>
      <translation>Ausklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source>double-click or press Return</source>
      <translation>Doppelklick oder Eingabetaste</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>{count} more</source>
      <translation>{count} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Produced by</source>
      <translation>Erzeugt von</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Used by</source>
      <translation>Verwendet von</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source> on {device}</source>
      <translation> auf {device}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source>not timed, {handed_over}</source>
      <translation>nicht gemessen, {handed_over}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source> into layer {into}</source>
      <translation> in Schicht {into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source>not timed separately: {value}{into}</source>
      <translation>nicht einzeln gemessen: {value}{into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Graph</source>
      <translation>Graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source>nothing selected</source>
      <translation>nichts ausgewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view.py"></location>
      <source>tensor {tensor}</source>
      <translation>Tensor {tensor}</translation>
    </message>
    <message>
      <location filename="inspector/ui/graph/view_link.py"></location>
      <source>Could not show the view</source>
      <translation>Die Ansicht konnte nicht angezeigt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>No optimization</source>
      <translation>Ohne Optimierung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Basic optimizations</source>
      <translation>Einfache Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Extended optimizations</source>
      <translation>Erweiterte Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>All optimizations</source>
      <translation>Alle Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Graph optimization of this run</source>
      <translation>Graphoptimierung dieses Laufs</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Graph optimization level of this run; layers are not fused, so that every output can be read</source>
      <translation>Stufe der Graphoptimierung dieses Laufs; Schichten werden nicht fusioniert, damit jede Ausgabe gelesen werden kann</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Compare with</source>
      <translation>Vergleichen mit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Tolerance</source>
      <translation>Toleranz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Highest ratio of max error to max |value| that still counts as equal; the default depends on the data type</source>
      <translation>Höchstes Verhältnis von max. Fehler zu max. |Wert|, das noch als gleich gilt; der Standard hängt vom Datentyp ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Record layer outputs</source>
      <translation>Schichtausgaben aufzeichnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>ONNX reference evaluator</source>
      <translation>ONNX-Referenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Another model…</source>
      <translation>Anderes Modell …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Recorded tensors (.npz)…</source>
      <translation>Aufgezeichnete Tensoren (.npz) …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Compare with recorded tensors</source>
      <translation>Mit aufgezeichneten Tensoren vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>NumPy arrays ({file_patterns})</source>
      <translation>NumPy-Arrays ({file_patterns})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Models ({file_patterns})</source>
      <translation>Modelle ({file_patterns})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Inputs from Preview: {named}</source>
      <translation>Eingaben aus der Vorschau: {named}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source> and {count} more</source>
      <translation> und {count} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>'{text}' is not a valid tolerance. Enter a number of at least 0, such as 1e-3.</source>
      <translation>„{text}“ ist keine gültige Toleranz. Eine Zahl ab 0 eingeben, zum Beispiel 1e-3.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/comparison_fields.py"></location>
      <source>Using default inputs. Choose other inputs in Preview.</source>
      <translation>Es werden Standardeingaben verwendet. Andere Eingaben lassen sich in der Vorschau wählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Values</source>
      <translation>Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>Structure</source>
      <translation>Struktur</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Output of the model</source>
      <translation>Ausgabe des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Order</source>
      <translation>Reihenfolge</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Selected layer</source>
      <translation>Ausgewählte Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Measure layer</source>
      <translation>Schicht messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Select a layer to see its outputs.</source>
      <translation>Eine Schicht auswählen, um ihre Ausgaben zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source> in {scope}</source>
      <translation> in {scope}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Show all values…</source>
      <translation>Alle Werte anzeigen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Too large to show as a whole: save it as .npy</source>
      <translation>Zu groß für eine vollständige Anzeige: als .npy speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Save as .npy…</source>
      <translation>Als .npy speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Save tensor</source>
      <translation>Tensor speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Exceeds the tolerance.</source>
      <translation>Über der Toleranz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Within tolerance.</source>
      <translation>Innerhalb der Toleranz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Identical.</source>
      <translation>Identisch.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Max error</source>
      <translation>Max. Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>At index</source>
      <translation>An Index</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Mean error</source>
      <translation>Mittl. Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Rel error</source>
      <translation>Rel. Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Cosine</source>
      <translation>Kosinus</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>PSNR</source>
      <translation>PSNR</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>SQNR</source>
      <translation>SQNR</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Mismatches</source>
      <translation>Abweichungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Compared with '{counterpart}'.</source>
      <translation>Verglichen mit „{counterpart}“.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Counterpart</source>
      <translation>Gegenstück</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Shape</source>
      <translation>Form</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Order of axes</source>
      <translation>Reihenfolge der Achsen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Paired by</source>
      <translation>Zugeordnet nach</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Correlation</source>
      <translation>Korrelation</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Own error</source>
      <translation>Eigener Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Show in its graph</source>
      <translation>In dessen Graph zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Statistics</source>
      <translation>Statistik</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>, stored in {kept_in}</source>
      <translation>, gespeichert in {kept_in}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>This tensor has no elements.</source>
      <translation>Dieser Tensor hat keine Elemente.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>The inputs contain NaN.</source>
      <translation>Die Eingaben enthalten NaN.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>The inputs contain no NaNs; this layer introduces them.</source>
      <translation>Die Eingaben enthalten kein NaN; es entsteht in dieser Schicht.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Slice view</source>
      <translation>Schnittansicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Reference</source>
      <translation>Referenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>This run</source>
      <translation>Dieser Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Slice view shows</source>
      <translation>Schnittansicht zeigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>Run this layer alone, with the inputs it gets here.</source>
      <translation>Diese Schicht allein ausführen, mit den Eingaben, die sie hier erhält.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>Median</source>
      <translation>Median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>95% CI</source>
      <translation>95%-KI</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <location filename="inspector/ui/translate.py"></location>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>{low} to {high}</source>
      <translation>{low} bis {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_detail.py"></location>
      <source>{count:,}; times include the call overhead</source>
      <translation>{count:,}; Zeiten einschließlich des Aufrufaufwands</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Filter by name or operator</source>
      <translation>Nach Name oder Operator filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Filter layers</source>
      <translation>Schichten filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Previous layer ([)</source>
      <translation>Vorherige Schicht ([)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Next layer (])</source>
      <translation>Nächste Schicht (])</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Layers and their outputs</source>
      <translation>Schichten und ihre Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Save all…</source>
      <translation>Alle speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Save the outputs of all layers to one .npz file</source>
      <translation>Die Ausgaben aller Schichten in einer .npz-Datei speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Show</source>
      <translation>Anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Show in graph</source>
      <translation>Im Graphen anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>{shown:,} of {every:,}</source>
      <translation>{shown:,} von {every:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>{number} · {over:,} over tolerance</source>
      <translation>{number} · {over:,} über der Toleranz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/layer_list.py"></location>
      <source>Cancel ({done:,} of {every:,})</source>
      <translation>Abbrechen ({done:,} von {every:,})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Activation memory</source>
      <translation>Aktivierungsspeicher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Peak {size} at {name}</source>
      <translation>Spitze {size} bei {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Tensors at the memory peak, during {name}</source>
      <translation>Tensoren am Speicherhöchststand, während {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Tensors in memory during {name}</source>
      <translation>Tensoren im Speicher während {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>an input</source>
      <translation>eine Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>the end</source>
      <translation>das Ende</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>{name}: from {first} to {last}</source>
      <translation>{name}: von {first} bis {last}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Computed from shapes: {size} at the peak, while {name} runs. With buffers used again as ONNX Runtime's planner does, {arena} of its arena are in use.</source>
      <translation>Aus den Formen berechnet: {size} am Spitzenwert, während {name} läuft. Mit Puffern, die wie vom Planer von ONNX Runtime wiederverwendet werden, sind {arena} seiner Arena in Verwendung.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>The size of {values} is unknown.</source>
      <translation>Die Größe von {values} ist unbekannt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Measured at the end of each layer in the first run: up to {size} of the arena was in use.</source>
      <translation>Am Ende jeder Schicht des ersten Laufs gemessen: bis zu {size} in der Arena belegt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>{size} reserved from the system.</source>
      <translation>{size} vom System reserviert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/memory_card.py"></location>
      <source>Measure to see the memory use of the runtime's arena.</source>
      <translation>Messen, um die Speichernutzung der Arena der Laufzeitumgebung zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/step_progress.py"></location>
      <source>Recording layer outputs</source>
      <translation>Schichtausgaben werden aufgezeichnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/step_progress.py"></location>
      <source>Starting the engine process</source>
      <translation>Engine-Prozess wird gestartet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Run the model once and record the output of every layer:</source>
      <translation>Das Modell einmal ausführen und die Ausgabe jeder Schicht aufzeichnen:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>find where NaN appears first, and where results differ from</source>
      <translation>zeigt, wo NaN zuerst auftritt und wo Ergebnisse abweichen von</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>another optimization level, device or model, or the ONNX reference.</source>
      <translation>einer anderen Optimierungsstufe, einem anderen Gerät oder Modell oder der ONNX-Referenz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Layer outputs</source>
      <translation>Schichtausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Input: {given}{more}.</source>
      <translation>Eingabe: {given}{more}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Save the outputs of all layers</source>
      <translation>Ausgaben aller Schichten speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Inspect the output of each layer</source>
      <translation>Die Ausgabe jeder Schicht untersuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/activations/tab.py"></location>
      <source>Inspect the outputs of {layer_count}</source>
      <translation>Die Ausgaben von {layer_count} untersuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Write a message</source>
      <translation>Nachricht schreiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Write the beginning of a text</source>
      <translation>Den Anfang eines Textes schreiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Write the text that the encoder reads</source>
      <translation>Den Text schreiben, den der Encoder liest</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Path of a sound, or drop one here</source>
      <translation>Pfad einer Tondatei, oder eine hierher ziehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Send (Enter); Shift+Enter begins a new line</source>
      <translation>Senden (Eingabe); Umschalt+Eingabe beginnt eine neue Zeile</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Message</source>
      <translation>Nachricht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Leave out oldest turns</source>
      <translation>Älteste Fragen weglassen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Esc</source>
      <translation>Esc</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Send</source>
      <translation>Senden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Stop</source>
      <translation>Anhalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Stop the answer (Esc); what is there stays</source>
      <translation>Die Antwort anhalten (Esc); was da ist, bleibt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>Another job is running; wait or cancel it</source>
      <translation>Ein anderer Vorgang läuft; warten oder ihn abbrechen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>{tokens}, {more:,} too many</source>
      <translation>{tokens}, {more:,} zu viel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Context {used:,} of {limit:,} tokens · {left:,} left</source>
      <translation>Kontext {used:,} von {limit:,} Token · {left:,} frei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>Context {used:,} tokens</source>
      <translation>Kontext {used:,} Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/composer.py"></location>
      <source>{share} of the context</source>
      <translation>{share} des Kontexts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/legend.py"></location>
      <source>Color tokens by</source>
      <translation>Token färben nach</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/legend.py"></location>
      <source>First differing token</source>
      <translation>Erstes abweichendes Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/legend.py"></location>
      <source>Bar: probability, under 50% only</source>
      <translation>Balken: Wahrscheinlichkeit, nur unter 50 %</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Show the system text and the template</source>
      <translation>Systemtext und Vorlage zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>System</source>
      <translation>System</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>System text</source>
      <translation>Systemtext</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>What the model should know or do in every answer; empty for nothing</source>
      <translation>Was das Modell in jeder Antwort wissen oder tun soll; leer für nichts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Chat template</source>
      <translation>Chat-Vorlage</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>No template: texts are continued as they are</source>
      <translation>Keine Vorlage: Texte werden fortgesetzt, wie sie sind</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Prompt as sent</source>
      <translation>Prompt, wie gesendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Chat template · {source}</source>
      <translation>Chat-Vorlage · {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>none; click to write one</source>
      <translation>keiner; zum Schreiben klicken</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <location filename="inspector/ui/tabs/chat/time_strip.py"></location>
      <source>Time of each token</source>
      <translation>Zeit jedes Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <location filename="inspector/ui/widgets/failure.py"></location>
      <source>Try again</source>
      <translation>Erneut versuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Continue</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Loading {model}…</source>
      <translation>{model} wird geladen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Reading the prompt: {read:,} of {total:,} tokens</source>
      <translation>Prompt wird gelesen: {read:,} von {total:,} Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>Reading the prompt: {tokens}</source>
      <translation>Prompt wird gelesen: {tokens}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>{what}: {why}</source>
      <translation>{what}: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>differs from token {number:,} on</source>
      <translation>weicht ab Token {number:,} ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/messages.py"></location>
      <source>the same {tokens} so far</source>
      <translation>bisher dieselben {tokens}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Explain in two sentences what a language model is.</source>
      <translation>Erkläre in zwei Sätzen, was ein Sprachmodell ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Write four lines about the sea.</source>
      <translation>Schreibe vier Zeilen über das Meer.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>List three uses of a paper clip.</source>
      <translation>Nenne drei Verwendungen einer Büroklammer.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Once upon a time</source>
      <translation>Es war einmal</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>The first thing to know is</source>
      <translation>Das Erste, was man wissen muss, ist</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>def main():</source>
      <translation>def main():</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Chat</source>
      <translation>Chat</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>This model has no chat template</source>
      <translation>Dieses Modell hat keine Chat-Vorlage</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>It continues the text that you write</source>
      <translation>Es setzt den Text fort, den Sie schreiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Encoder and decoder</source>
      <translation>Encoder und Decoder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Each text is read by the encoder and answered by itself</source>
      <translation>Der Encoder liest jeden Text für sich, und der Decoder beantwortet ihn</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Speech to text</source>
      <translation>Sprache zu Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>The decoder writes down what the encoder hears</source>
      <translation>Der Decoder schreibt auf, was der Encoder hört</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Compare with another model</source>
      <translation>Mit einem anderen Modell vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Other model</source>
      <translation>Anderes Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>Conversation</source>
      <translation>Gespräch</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Reading the tokenizer…</source>
      <translation>Tokenizer wird gelesen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Template: {name}</source>
      <translation>Vorlage: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>context of {tokens}</source>
      <translation>Kontext von {tokens}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Last answer</source>
      <translation>Letzte Antwort</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>This answer so far</source>
      <translation>Diese Antwort bisher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>not a benchmark: press Measure</source>
      <translation>kein Benchmark: „Messen“ drücken</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>greedy</source>
      <translation>greedy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>sampling, seed {seed}</source>
      <translation>Sampling, Startwert {seed}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>the same prompt gives the same tokens</source>
      <translation>derselbe Prompt ergibt dieselben Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>{a} and {b} agree on the first {tokens}</source>
      <translation>{a} und {b} stimmen in den ersten {tokens} überein</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>{a} and {b} differ from the first token on</source>
      <translation>{a} und {b} unterscheiden sich vom ersten Token an</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>{a} and {b} agree on {tokens}</source>
      <translation>{a} und {b} stimmen in {tokens} überein</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>{b} answers after {a}</source>
      <translation>{b} antwortet nach {a}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Greedy</source>
      <translation>Greedy</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Sampling</source>
      <translation>Sampling</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>{speeds} tokens/s near context {context:,}</source>
      <translation>{speeds} Token/s bei Kontext {context:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>B runs after A: each has the whole processor</source>
      <translation>B läuft nach A: jedes hat den ganzen Prozessor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Left out: the model does not get this turn any more</source>
      <translation>Weggelassen: Das Modell bekommt diese Frage nicht mehr</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Choose a sound…</source>
      <translation>Tondatei wählen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Ask something, for example:</source>
      <translation>Fragen Sie etwas, zum Beispiel:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Begin a text:</source>
      <translation>Beginnen Sie einen Text:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Text</source>
      <translation>Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>You</source>
      <translation>Sie</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Answer of B</source>
      <translation>Antwort von B</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>this model</source>
      <translation>dieses Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Sound to write down</source>
      <translation>Tondatei zum Aufschreiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>The model is still writing</source>
      <translation>Das Modell schreibt noch</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Write down {name}</source>
      <translation>{name} aufschreiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/page.py"></location>
      <source>Folder of the other model</source>
      <translation>Ordner des anderen Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Max tokens</source>
      <translation>Max. Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Choice of the next token</source>
      <translation>Wahl des nächsten Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Greedy takes the most probable token each time; sampling leaves it to chance.</source>
      <translation>Greedy nimmt jedes Mal das wahrscheinlichste Token; Sampling überlässt es dem Zufall.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Temperature</source>
      <translation>Temperatur</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Top-p</source>
      <translation>Top-p</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Top-k</source>
      <translation>Top-k</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Seed</source>
      <translation>Startwert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Automatic</source>
      <translation>Automatisch</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Spoken language</source>
      <translation>Gesprochene Sprache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Translate to English</source>
      <translation>Ins Englische übersetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Spoken</source>
      <translation>Gesprochen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>New chat</source>
      <translation>Neuer Chat</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Begin a new conversation (Ctrl+N)</source>
      <translation>Ein neues Gespräch beginnen (Strg+N)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <source>Save or open a conversation</source>
      <translation>Unterhaltung speichern oder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>Save conversation…</source>
      <translation>Unterhaltung speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/settings_bar.py"></location>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>Open conversation…</source>
      <translation>Unterhaltung öffnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Probability</source>
      <translation>Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Entropy</source>
      <translation>Entropie</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Probability of a token</source>
      <translation>Wahrscheinlichkeit eines Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>10 to 50%</source>
      <translation>10 bis 50 %</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>50 to 90%</source>
      <translation>50 bis 90 %</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>90% or more</source>
      <translation>ab 90 %</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>under 10%</source>
      <translation>unter 10 %</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Entropy of the choice</source>
      <translation>Entropie der Wahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>0.5 to 1.5</source>
      <translation>0,5 bis 1,5</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>1.5 to 3</source>
      <translation>1,5 bis 3</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>3 bits or more</source>
      <translation>ab 3 Bit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>under 0.5</source>
      <translation>unter 0,5</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>Time of a token</source>
      <translation>Zeit eines Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>twice the median or more</source>
      <translation>ab dem doppelten Median</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>1.5 to 2 times</source>
      <translation>1,5- bis 2-fach</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>1.15 to 1.5 times</source>
      <translation>1,15- bis 1,5-fach</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/shades.py"></location>
      <source>less</source>
      <translation>weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/tab.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>Opening {name}…</source>
      <translation>{name} wird geöffnet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/time_strip.py"></location>
      <source>Token {number}: {time}, at context {context:,}</source>
      <translation>Token {number}: {time}, bei Kontext {context:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Tokens</source>
      <translation>Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Click a token of an answer to see how sure the model was of it.</source>
      <translation>Klicken Sie auf ein Token einer Antwort, um zu sehen, wie sicher sich das Modell war.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>(no text)</source>
      <translation>(kein Text)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>probability after softmax, temperature 1</source>
      <translation>Wahrscheinlichkeit nach Softmax, Temperatur 1</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>{count:,} so far</source>
      <translation>bisher {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Token {place:,} of {total} · answer {number:,}</source>
      <translation>Token {place:,} von {total} · Antwort {number:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>id {id}</source>
      <translation>ID {id}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>first difference</source>
      <translation>erster Unterschied</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>given</source>
      <translation>vorgegeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Alternatives</source>
      <translation>Alternativen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>id · probability</source>
      <translation>ID · Wahrscheinlichkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Continue from here</source>
      <translation>Von hier weiter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>With this token: what follows is generated anew.</source>
      <translation>Mit diesem Token: was folgt, wird neu erzeugt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>With “{other}” in place of “{token}”.</source>
      <translation>Mit „{other}“ an der Stelle von „{token}“.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>This stops the answer; what is there stays as a branch.</source>
      <translation>Das hält die Antwort an; was da ist, bleibt als Zweig.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>The present answer stays as branch {number}.</source>
      <translation>Die jetzige Antwort bleibt als Zweig {number}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Time of this step</source>
      <translation>Zeit dieses Schritts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>None: this token was given, not generated.</source>
      <translation>Keine: Dieses Token wurde vorgegeben, nicht erzeugt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>at context {context:,}</source>
      <translation>bei Kontext {context:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>with the prompt of {tokens}</source>
      <translation>mit dem Prompt aus {tokens}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Time its layers</source>
      <translation>Ihre Schichten messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Runs a few steps at this context with the profiler on.</source>
      <translation>Führt bei diesem Kontext einige Schritte mit Profiler aus.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Timing the layers…</source>
      <translation>Schichten werden gemessen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>Layers of such a step, timed again: {time}</source>
      <translation>Schichten eines solchen Schritts, noch einmal gemessen: {time}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>further layers</source>
      <translation>weitere Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>between layers</source>
      <translation>zwischen Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>The same position in both</source>
      <translation>Dieselbe Stelle in beiden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_pane.py"></location>
      <source>under {share}</source>
      <translation>unter {share}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_view.py"></location>
      <source>{piece}, {probability}</source>
      <translation>{piece}, {probability}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/chat/token_view.py"></location>
      <source>space</source>
      <translation>Leerzeichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>matched by name</source>
      <translation>nach Name zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>matched by output name</source>
      <translation>nach Ausgabename zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>matched by weight names</source>
      <translation>nach Gewichtsnamen zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>matched by structure</source>
      <translation>nach Struktur zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>matched by order</source>
      <translation>nach Reihenfolge zugeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>Find: name, operator, type or attribute</source>
      <translation>Suchen: Name, Operator, Typ oder Attribut</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>Find changes</source>
      <translation>Änderungen suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Changes</source>
      <translation>Änderungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>No layer selected</source>
      <translation>Keine Schicht ausgewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>Computed by</source>
      <translation>Berechnet von</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>Max abs difference</source>
      <translation>Max. abs. Unterschied</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>come from different layers than in A</source>
      <translation>kommen aus anderen Schichten als in A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/changes.py"></location>
      <source>different values</source>
      <translation>andere Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Measure both</source>
      <translation>Beide messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Measure the latency of both models and compare their outputs</source>
      <translation>Die Latenz beider Modelle messen und ihre Ausgaben vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Accuracy on a folder…</source>
      <translation>Genauigkeit mit einem Ordner …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Run both models on a folder of labeled images in Preview</source>
      <translation>Beide Modelle in der Vorschau auf einen Ordner mit gelabelten Bildern anwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Size</source>
      <translation>Größe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Weights stored as</source>
      <translation>Gewichte gespeichert als</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Latency (median)</source>
      <translation>Latenz (Median)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{accuracy}, folder {folder}</source>
      <translation>{accuracy}, Ordner {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{accuracy}, one input</source>
      <translation>{accuracy}, eine Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Same class, folder {folder}</source>
      <translation>Gleiche Klasse, Ordner {folder}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Open both models to measure their latency and compare their outputs.</source>
      <translation>Beide Modelle öffnen, um ihre Latenz zu messen und ihre Ausgaben zu vergleichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>“Measure both” measures their latency and compares their outputs.</source>
      <translation>„Beide messen“ misst ihre Latenz und vergleicht ihre Ausgaben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>not compared</source>
      <translation>nicht verglichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Noisy: how much the latency differs is not sure. Measure both again.</source>
      <translation>Verrauscht: Wie sehr die Latenz abweicht, ist unsicher. Beide erneut messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Latency: {verdict}.</source>
      <translation>Latenz: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Latency, measured interleaved by Improve on {device}: {verdict}.</source>
      <translation>Latenz, von Verbessern abwechselnd gemessen auf {device}: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>The medians alone differ by {change}.</source>
      <translation>Die Mediane allein unterscheiden sich um {change}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{name}: {change}, in {folder}.</source>
      <translation>{name}: {change}, in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>A and B were measured with different settings: {names}.</source>
      <translation>A und B wurden mit verschiedenen Einstellungen gemessen: {names}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>The input is random because Preview of A and B has none.</source>
      <translation>Die Eingabe ist zufällig, weil die Vorschau von A und B keine hat.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{letter} is noisy: {reasons}</source>
      <translation>{letter} ist verrauscht: {reasons}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Compare outputs</source>
      <translation>Ausgaben vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measure again</source>
      <translation>Erneut messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>A · {name}</source>
      <translation>A · {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>B · {name}</source>
      <translation>B · {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>B compared with A</source>
      <translation>B im Vergleich zu A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>the same</source>
      <translation>unverändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Outputs for the test inputs</source>
      <translation>Ausgaben für die Testeingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Outputs for the same input</source>
      <translation>Ausgaben für dieselbe Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Outputs for the input in Preview</source>
      <translation>Ausgaben für die Eingabe in der Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Outputs for a random input</source>
      <translation>Ausgaben für eine zufällige Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>layers agree</source>
      <translation>Schichten stimmen überein</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>layers differ</source>
      <translation>Schichten weichen ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>Compared on {date}; the files have not changed since.</source>
      <translation>Verglichen am {date}; die Dateien sind seither unverändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>B is {known}.</source>
      <translation>B ist {known}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>no weights</source>
      <translation>keine Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{share} {name}, the rest {other}</source>
      <translation>{share} {name}, der Rest {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{share} {name}, the rest {other} and other types</source>
      <translation>{share} {name}, der Rest {other} und andere Typen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{verdict} (noisy)</source>
      <translation>{verdict} (verrauscht)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>as large as A</source>
      <translation>so groß wie A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{share} larger than A</source>
      <translation>{share} größer als A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>{share} smaller than A</source>
      <translation>{share} kleiner als A</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>as fast as A ({verdict})</source>
      <translation>so schnell wie A ({verdict})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>not clearly faster or slower</source>
      <translation>nicht eindeutig schneller oder langsamer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>as accurate on {count}</source>
      <translation>bei {count} ebenso genau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>not clearly more or less accurate on {count}</source>
      <translation>bei {count} nicht eindeutig mehr oder weniger genau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>more accurate on {count}</source>
      <translation>bei {count} genauer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>less accurate on {count}</source>
      <translation>bei {count} weniger genau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>with the same class for all of {file_count}</source>
      <translation>mit derselben Klasse für alle {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/glance.py"></location>
      <source>with the same class for {share} of {file_count}</source>
      <translation>mit derselben Klasse bei {share} von {file_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Added</source>
      <translation>Hinzugefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>Changed</source>
      <translation>Geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Moved</source>
      <translation>Verschoben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Same</source>
      <translation>Gleich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Carries an error on</source>
      <translation>Gibt einen Fehler weiter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Makes an error</source>
      <translation>Macht einen Fehler</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Compare another model as {letter}</source>
      <translation>Ein anderes Modell als {letter} vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Graph of model {letter}</source>
      <translation>Graph von Modell {letter}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>Line between the selected layers</source>
      <translation>Linie zwischen den ausgewählten Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>folded</source>
      <translation>eingeklappt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/graphs.py"></location>
      <source>replaced</source>
      <translation>ersetzt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Compare layer outputs</source>
      <translation>Schichtausgaben vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Compare again</source>
      <translation>Neu vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Show first difference</source>
      <translation>Ersten Unterschied zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Open both models to compare the outputs of their layers.</source>
      <translation>Beide Modelle öffnen, um die Ausgaben ihrer Schichten zu vergleichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Run both models layer by layer on the same input, and see which layer makes the first difference.</source>
      <translation>Beide Modelle Schicht für Schicht mit derselben Eingabe ausführen und sehen, welche Schicht den ersten Unterschied macht.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/layer_outputs_panel.py"></location>
      <source>Show tensor</source>
      <translation>Tensor zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py"></location>
      <source>Compare them in Preview, which converts an image for each model.</source>
      <translation>In der Vorschau vergleichen, die ein Bild für jedes Modell umwandelt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py"></location>
      <source>Measuring…</source>
      <translation>Messung läuft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py"></location>
      <source>Measuring {name}…</source>
      <translation>{name} wird gemessen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/pair_measuring.py"></location>
      <source>Comparing the outputs…</source>
      <translation>Ausgaben werden verglichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Is {name} still good?</source>
      <translation>Ist {name} noch gut?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Both models predict the same text, token by token: perplexity, KL divergence and their intervals say whether B can take the place of A.</source>
      <translation>Beide Modelle sagen denselben Text Token für Token voraus: Perplexität, KL-Divergenz und ihre Intervalle sagen, ob B an die Stelle von A treten kann.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>{name}, shipped</source>
      <translation>{name}, mitgeliefert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Another text file…</source>
      <translation>Andere Textdatei …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Rank blocks and layers</source>
      <translation>Blöcke und Schichten ordnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Put each block of B into A, and see how far it alone takes the predictions</source>
      <translation>Jeden Block von B in A einsetzen und sehen, wie weit er allein die Vorhersagen verschiebt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Judge</source>
      <translation>Beurteilen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Quality on a text</source>
      <translation>Qualität an einem Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>Judge again</source>
      <translation>Erneut beurteilen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <source>So far: {verdict}</source>
      <translation>Bisher: {verdict}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Text to predict</source>
      <translation>Vorherzusagender Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/text_view.py"></location>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Texts (*.txt *.md);;All files (*)</source>
      <translation>Texte (*.txt *.md);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>What is compared</source>
      <translation>Was verglichen wird</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Swap A and B</source>
      <translation>A und B tauschen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Export…</source>
      <translation>Exportieren …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/choice_card.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Compare models</source>
      <translation>Modelle vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Comparing layers and weights…</source>
      <translation>Schichten und Gewichte werden verglichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>A {first} · B {other}</source>
      <translation>A {first} · B {other}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>No other model is open</source>
      <translation>Kein anderes Modell ist geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Pan and zoom together</source>
      <translation>Gemeinsam verschieben und zoomen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>What is listed</source>
      <translation>Was aufgelistet ist</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Show these layers in the list and color them in the graphs</source>
      <translation>Diese Schichten in der Liste anzeigen und in den Graphen einfärben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>{count} found</source>
      <translation>{count} gefunden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Changes and layer outputs</source>
      <translation>Änderungen und Schichtausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Layers {change}</source>
      <translation>Schichten {change}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/diff/view.py"></location>
      <source>Opset {change}</source>
      <translation>Opset {change}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <source>none; separate several with commas</source>
      <translation>keine; mehrere mit Kommas trennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <source>NAME=VALUE; separate several with commas</source>
      <translation>NAME=WERT; mehrere durch Kommas trennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Add</source>
      <translation>Hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <source>Apply</source>
      <translation>Anwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <source>Uses {library}.</source>
      <translation>Verwendet {library}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/action_dialog.py"></location>
      <source>Checking the effect…</source>
      <translation>Wirkung wird geprüft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/actions_card.py"></location>
      <source>Search actions</source>
      <translation>Aktionen suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/actions_card.py"></location>
      <source>No action has these words</source>
      <translation>Keine Aktion enthält diese Wörter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/actions_card.py"></location>
      <source>Add an action</source>
      <translation>Aktion hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/actions_card.py"></location>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>not checked</source>
      <translation>nicht geprüft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/before_after.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Before and after</source>
      <translation>Vorher und nachher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/layer_errors_card.py"></location>
      <source>Layers with the largest errors</source>
      <translation>Schichten mit den größten Fehlern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py"></location>
      <source>{before} to {after}</source>
      <translation>{before} auf {after}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py"></location>
      <source>Recipe steps</source>
      <translation>Schritte des Rezepts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py"></location>
      <source>No steps yet. Add an action, or find the best recipe.</source>
      <translation>Noch keine Schritte. Fügen Sie eine Aktion hinzu, oder suchen Sie das beste Rezept.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/lists.py"></location>
      <source>Actions</source>
      <translation>Aktionen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>usual inputs</source>
      <translation>übliche Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>These results are of {name} on {device}, not of what is chosen now.</source>
      <translation>Diese Ergebnisse gelten für {name} auf {device}, nicht für die jetzige Auswahl.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>Drop earlier results</source>
      <translation>Frühere Ergebnisse verwerfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>{count} will leave the list.</source>
      <translation>{count} werden aus der Liste entfernt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>Save results… in the menu of the recipe keeps them.</source>
      <translation>„Ergebnisse speichern…“ im Menü des Rezepts bewahrt sie auf.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/other_results.py"></location>
      <source>Drop and run</source>
      <translation>Verwerfen und ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>Accuracy vs. latency</source>
      <translation>Genauigkeit und Latenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>Accuracy vs. size</source>
      <translation>Genauigkeit und Größe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>Candidates</source>
      <translation>Kandidaten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>Plot</source>
      <translation>Diagramm</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>View of the candidates</source>
      <translation>Ansicht der Kandidaten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>measuring more…</source>
      <translation>weitere Messungen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/pareto_card.py"></location>
      <source>Candidates appear here with their accuracy and latency.</source>
      <translation>Kandidaten erscheinen hier mit Genauigkeit und Latenz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Lowest latency</source>
      <translation>Geringste Latenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Smallest file</source>
      <translation>Kleinste Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>No loss</source>
      <translation>Kein Verlust</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 0.1 points lower</source>
      <translation>Bis 0.1 Punkte weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 0.5 points lower</source>
      <translation>Bis 0.5 Punkte weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 1 point lower</source>
      <translation>Bis 1 Punkt weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 2 points lower</source>
      <translation>Bis 2 Punkte weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 5 points lower</source>
      <translation>Bis 5 Punkte weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>No limit</source>
      <translation>Keine Grenze</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>No rise</source>
      <translation>Kein Anstieg</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 1% higher</source>
      <translation>Höchstens 1 % höher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 3% higher</source>
      <translation>Höchstens 3 % höher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most 10% higher</source>
      <translation>Höchstens 10 % höher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Undo the last change to the recipe</source>
      <translation>Die letzte Änderung am Rezept rückgängig machen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Load or save the recipe, or save the results</source>
      <translation>Das Rezept laden oder speichern oder die Ergebnisse speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Add an action…</source>
      <translation>Aktion hinzufügen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Step options</source>
      <translation>Optionen des Schritts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Move the step up</source>
      <translation>Schritt nach oben verschieben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Move the step down</source>
      <translation>Schritt nach unten verschieben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Remove this step</source>
      <translation>Diesen Schritt entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Rank the layers by the output error they cause</source>
      <translation>Die Schichten nach dem Ausgabefehler ordnen, den sie verursachen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Recipe</source>
      <translation>Rezept</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Load recipe…</source>
      <translation>Rezept laden …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Copy as command</source>
      <translation>Als Befehl kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Copy as Python code</source>
      <translation>Als Python-Code kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Save results…</source>
      <translation>Ergebnisse speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Remove all steps</source>
      <translation>Alle Schritte entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>The recipe has no steps</source>
      <translation>Das Rezept hat keine Schritte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Wait until the run has finished</source>
      <translation>Warten, bis der Lauf beendet ist</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>No recipe has been run yet</source>
      <translation>Es wurde noch kein Rezept ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Load recipe</source>
      <translation>Rezept laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Goal</source>
      <translation>Ziel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Accuracy</source>
      <translation>Genauigkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Perplexity</source>
      <translation>Perplexität</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Accuracy limit</source>
      <translation>Genauigkeitsgrenze</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Perplexity limit</source>
      <translation>Grenze der Perplexität</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Find the best recipe</source>
      <translation>Bestes Rezept suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Tries common recipes one by one and compares each with the original.</source>
      <translation>Probiert gängige Rezepte nacheinander aus und vergleicht jedes mit dem Original.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>You can cancel at any time; finished results are kept.</source>
      <translation>Jederzeit abbrechbar; fertige Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Test data</source>
      <translation>Testdaten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Calibration</source>
      <translation>Kalibrierung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Test</source>
      <translation>Test</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Objective</source>
      <translation>Zielvorgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Shipped text</source>
      <translation>Mitgelieferter Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Choose a folder…</source>
      <translation>Ordner auswählen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Labels from CSV file…</source>
      <translation>Labels aus CSV-Datei …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>No folder</source>
      <translation>Kein Ordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Calibration folder</source>
      <translation>Kalibrierungsordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Test folder</source>
      <translation>Testordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>reading…</source>
      <translation>wird gelesen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>At most {points} points lower</source>
      <translation>Bis {points} Punkte weniger</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Judged by how well it predicts this text, token by token</source>
      <translation>Beurteilt danach, wie gut es diesen Text Token für Token vorhersagt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>{files} in both folders; use different files</source>
      <translation>{files} in beiden Ordnern; verschiedene Dateien verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Choose a test folder to measure the accuracy</source>
      <translation>Einen Testordner auswählen, um die Genauigkeit zu messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>A verdict needs at least {count} test inputs</source>
      <translation>Ein Urteil erfordert mindestens {count} Testeingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>compared with the original's results</source>
      <translation>verglichen mit den Ergebnissen des Originals</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>labeled: {count:,}</source>
      <translation>gelabelt: {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>No file is in both folders</source>
      <translation>Keine Datei liegt in beiden Ordnern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Labels</source>
      <translation>Labels</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/recipe_card.py"></location>
      <source>Tables (*.csv)</source>
      <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py"></location>
      <source>Layers to keep in float</source>
      <translation>Schichten, die Gleitkomma bleiben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py"></location>
      <source>Keep in float</source>
      <translation>Als Gleitkomma belassen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py"></location>
      <source>Ranked layers</source>
      <translation>Rangfolge der Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py"></location>
      <source>Layers most affected by {action}</source>
      <translation>Von {action} am stärksten betroffene Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/sensitivity_card.py"></location>
      <source>Each layer is quantized by itself, and the outputs are compared on {inputs}.</source>
      <translation>Jede Schicht wird einzeln quantisiert, und die Ausgaben werden bei {inputs} verglichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Improve</source>
      <translation>Verbessern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py"></location>
      <source>Reading {name}…</source>
      <translation>{name} wird gelesen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/tab.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>{name} is not open.</source>
      <translation>{name} ist nicht geöffnet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Use this recipe</source>
      <translation>Dieses Rezept verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Run recipe</source>
      <translation>Rezept ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Save model as…</source>
      <translation>Speichern unter …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Run again</source>
      <translation>Erneut ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Show in folder</source>
      <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Progress</source>
      <translation>Fortschritt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Cancel search</source>
      <translation>Suche abbrechen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Run the recipe again to compare its layers.</source>
      <translation>Das Rezept erneut ausführen, um seine Schichten zu vergleichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>runs at {count} of {every} optimization levels</source>
      <translation>läuft auf {count} von {every} Optimierungsstufen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>runs in {count} of {every} configurations (with and without XNNPACK)</source>
      <translation>läuft in {count} von {every} Konfigurationen (mit und ohne XNNPACK)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Also notable: {text}.</source>
      <translation>Auch bemerkenswert: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Notable: {text}.</source>
      <translation>Bemerkenswert: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Previous result: {verdict}.</source>
      <translation>Vorheriges Ergebnis: {verdict}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>The original file is not changed. You can cancel at any time.</source>
      <translation>Die Originaldatei wird nicht geändert. Abbrechen ist jederzeit möglich.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>The original file is not changed. You can cancel at any time; finished candidates are kept.</source>
      <translation>Die ursprüngliche Datei wird nicht geändert. Jederzeit abbrechbar; fertige Kandidaten bleiben erhalten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>{count} tried, none chosen</source>
      <translation>{count} ausprobiert, keiner gewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Click a point or a table row to see its verdict.</source>
      <translation>Auf einen Punkt oder eine Tabellenzeile klicken, um das Urteil zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Add an action to the recipe, or search for the best one. The result is checked, compared with the original and saved as a new file; {name} is not changed.</source>
      <translation>Dem Rezept eine Aktion hinzufügen oder das beste suchen. Das Ergebnis wird geprüft, mit dem Original verglichen und als neue Datei gespeichert; {name} wird nicht geändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Make this model smaller or faster</source>
      <translation>Dieses Modell kleiner oder schneller machen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>“{title}” cannot be applied</source>
      <translation>„{title}“ kann nicht angewendet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Run the recipe to create the new model, run it with several settings of its runtime, and compare its outputs, size and latency with the original.</source>
      <translation>Das Rezept ausführen, um das neue Modell zu erstellen, es mit mehreren Einstellungen seiner Laufzeitumgebung auszuführen und Ausgaben, Größe und Latenz mit dem Original zu vergleichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Run the recipe to create the new model and check that it runs.</source>
      <translation>Das Rezept ausführen, um das neue Modell zu erzeugen und zu prüfen, ob es läuft.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>{count}, not run yet</source>
      <translation>{count}, noch nicht ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>There is no model to save. Try other options, or remove a step.</source>
      <translation>Es gibt kein Modell zu speichern. Andere Optionen ausprobieren oder einen Schritt entfernen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>This recipe does not produce a working model</source>
      <translation>Dieses Rezept ergibt kein funktionierendes Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>the original</source>
      <translation>das Original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/verdict_card.py"></location>
      <source>Save model as</source>
      <translation>Modell speichern unter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>label: {truth}</source>
      <translation>Label: {truth}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>original: {answer}</source>
      <translation>Original: {answer}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>recipe: {answer}</source>
      <translation>Rezept: {answer}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>Worst inputs</source>
      <translation>Schlechteste Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>{results} changed; original above, recipe below</source>
      <translation>{results} geändert; oben Original, unten Rezept</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>{results} changed. Each row: label, original's result, recipe's result</source>
      <translation>{results} geändert; Label, dann Original, dann Rezept</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>Show fewer</source>
      <translation>Weniger anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/improve/worst_inputs.py"></location>
      <source>Show the worst {count}</source>
      <translation>Die {count} schlechtesten anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Certain</source>
      <translation>Sicher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Likely</source>
      <translation>Wahrscheinlich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Assumed</source>
      <translation>Angenommen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Stated in the file, or the only possibility given the structure of the model.</source>
      <translation>In der Datei angegeben oder angesichts der Struktur des Modells die einzige Möglichkeit.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>The structure matches a known model family.</source>
      <translation>Die Struktur passt zu einer bekannten Modellfamilie.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>These match the model, but nothing in the file confirms them. Change or undo them if they are wrong.</source>
      <translation>Sie passen zum Modell, aber nichts in der Datei bestätigt sie. Falls sie falsch sind, ändern oder rückgängig machen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>The file does not state it, and its structure matches no known family.</source>
      <translation>Die Datei gibt es nicht an, und ihre Struktur passt zu keiner bekannten Familie.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Multiply-accumulates (MACs)</source>
      <translation>Multiply-Accumulates (MACs)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Operations</source>
      <translation>Operationen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Memory traffic (estimated)</source>
      <translation>Speicherverkehr (geschätzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Arithmetic intensity</source>
      <translation>Arithmetische Intensität</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Peak activation memory (estimated)</source>
      <translation>Max. Aktivierungsspeicher (geschätzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Change…</source>
      <translation>Ändern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Restore</source>
      <translation>Wiederherstellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Use numbers</source>
      <translation>Nummern zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Change the class names</source>
      <translation>Klassennamen ändern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Restore the previous class names</source>
      <translation>Vorherige Klassennamen wiederherstellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Show numbers instead of the assumed class names</source>
      <translation>Nummern statt der angenommenen Klassennamen anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Computing…</source>
      <translation>Wird berechnet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Copy the full SHA-256</source>
      <translation>Vollständigen SHA-256-Wert kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>SHA-256</source>
      <translation>SHA-256</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Data types</source>
      <translation>Datentypen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Stored weights by size</source>
      <translation>Gespeicherte Gewichte nach Größe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Compute types by layer count</source>
      <translation>Rechentypen nach Schichtanzahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>operators</source>
      <translation>Operatoren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Cost</source>
      <translation>Aufwand</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>per run</source>
      <translation>pro Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Inferring shapes…</source>
      <translation>Formen werden abgeleitet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>unknown</source>
      <translation>unbekannt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>{intensity} FLOP/byte</source>
      <translation>{intensity} FLOP/Byte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py"></location>
      <source>Size of {name}</source>
      <translation>Größe von {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>at least {text}</source>
      <translation>mindestens {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>{note} Only declared shapes are counted.</source>
      <translation>{note} Nur deklarierte Formen werden gezählt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Unknown for {layers}: {named}.</source>
      <translation>Unbekannt für {layers}: {named}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>{count} more dynamic axes are assumed to be 1.</source>
      <translation>Für {count} weitere dynamische Achsen wird 1 angenommen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/cards.py"></location>
      <source>Estimated from the tensor shapes, not measured.</source>
      <translation>Aus den Formen der Tensoren geschätzt, nicht gemessen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <source>Filter: conv, op:Add, 1x*x8x8</source>
      <translation>Filter: conv, op:Add, 1x*x8x8</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/layer_list.py"></location>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show layer outputs</source>
      <translation>Ausgaben der Schicht zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/load_record.py"></location>
      <source>Could not load {name}</source>
      <translation>{name} konnte nicht geladen werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>How does it answer?</source>
      <translation>Wie antwortet es?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Chat with the model; see each token's probability and time</source>
      <translation>Mit dem Modell chatten; Wahrscheinlichkeit und Zeit jedes Tokens sehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Open Chat</source>
      <translation>Chat öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Are the predictions right?</source>
      <translation>Stimmen die Vorhersagen?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Run the model on your own files and folders</source>
      <translation>Das Modell auf eigenen Dateien und Ordnern ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Open Preview</source>
      <translation>Vorschau öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Where does the time go?</source>
      <translation>Wo bleibt die Zeit?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Latency, and the time of each layer</source>
      <translation>Latenz und die Zeit jeder Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Open Performance</source>
      <translation>Leistung öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Can it be smaller or faster?</source>
      <translation>Geht es kleiner oder schneller?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Float16, int8 and more; each result is checked and measured</source>
      <translation>Float16, int8 und mehr; jedes Ergebnis wird geprüft und gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Open Improve</source>
      <translation>Verbessern öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>How do I use it in my program?</source>
      <translation>Wie nutzt es das eigene Programm?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Code in your programming language, ready to copy</source>
      <translation>Code in der eigenen Programmiersprache, fertig zum Kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Show code</source>
      <translation>Code anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Does it run on a phone?</source>
      <translation>Läuft es auf einem Telefon?</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Android, iPhone, NPUs and browsers</source>
      <translation>Android, iPhone, NPUs und Browser</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Check support</source>
      <translation>Unterstützung prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Try your own image</source>
      <translation>Eigenes Bild ausprobieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Try your own input</source>
      <translation>Eigene Eingabe ausprobieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Choose library…</source>
      <translation>Bibliothek auswählen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Image</source>
      <translation>Bild</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Prediction</source>
      <translation>Vorhersage</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>shown in Preview</source>
      <translation>in der Vorschau angezeigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Previous result</source>
      <translation>Vorheriges Ergebnis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Cannot run yet</source>
      <translation>Noch nicht ausführbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>A library with its operators is missing</source>
      <translation>Eine Bibliothek mit seinen Operatoren fehlt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Not run since the model was opened</source>
      <translation>Seit dem Öffnen des Modells nicht ausgeführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Not tried yet</source>
      <translation>Noch nicht ausprobiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>An input is ready in Preview</source>
      <translation>Eine Eingabe steht in der Vorschau bereit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>See what it predicts</source>
      <translation>Zeigt, was das Modell vorhersagt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>The image does not fit the model</source>
      <translation>Das Bild passt nicht zum Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Does not run</source>
      <translation>Läuft nicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>The run failed</source>
      <translation>Der Lauf schlug fehl</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Images ({suffixes});;All files (*)</source>
      <translation>Bilder ({suffixes});;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Images for this input</source>
      <translation>Bilder für diese Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>The new input has no result</source>
      <translation>Die neue Eingabe hat kein Ergebnis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>{percent:.1f}% of {told:,} labeled inputs right</source>
      <translation>{percent:.1f}% von {told:,} gelabelten Eingaben richtig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>from {file}</source>
      <translation>aus {file}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>generated input</source>
      <translation>erzeugte Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>All targets…</source>
      <translation>Alle Ziele …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Fix dynamic axes…</source>
      <translation>Dynamische Achsen festlegen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Set these sizes in a copy of the model; many phones and NPUs require fixed sizes</source>
      <translation>Diese Größen in einer Kopie des Modells festlegen; viele Telefone und NPUs erfordern feste Größen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Assumes {sizes}</source>
      <translation>Angenommen: {sizes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/performance/coverage_card.py"></location>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Device support</source>
      <translation>Geräteunterstützung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <source>This machine</source>
      <translation>Dieser Rechner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/timeline/widget/gutter.py"></location>
      <source>unused</source>
      <translation>ungenutzt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>{layers} · estimated</source>
      <translation>{layers} · geschätzt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>{layers}, {removed:,} removed · estimated</source>
      <translation>{layers}, {removed:,} entfernt · geschätzt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>ONNX Runtime removes layers that have no effect</source>
      <translation>ONNX Runtime entfernt Schichten ohne Wirkung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>{layers} ran</source>
      <translation>{layers} liefen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>{layers} ran, {count:,} fused or removed</source>
      <translation>{layers} liefen, {count:,} fusioniert oder entfernt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Next steps</source>
      <translation>Nächste Schritte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>iPhone: {iphone} · Android: {android}</source>
      <translation>iPhone: {iphone} · Android: {android}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Measured, but noisy: {latency}, {kind}</source>
      <translation>Gemessen, aber verrauscht: {latency}, {kind}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Measured: {latency}, {kind}</source>
      <translation>Gemessen: {latency}, {kind}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Candidates were compared; see the results</source>
      <translation>Kandidaten wurden verglichen; siehe Ergebnisse</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Open Graph</source>
      <translation>Graph öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Where it runs</source>
      <translation>Wo es läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Use {device}</source>
      <translation>{device} verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Install {name}…</source>
      <translation>{name} installieren …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Repair…</source>
      <translation>Reparieren …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/next_steps.py"></location>
      <source>Save a repaired copy and open it; the file itself stays as it is</source>
      <translation>Reparierte Kopie speichern und öffnen; die Datei selbst bleibt, wie sie ist</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>Choose the library that provides the custom operators. Its code runs in the engine process; choose only one you trust. It is remembered for this model</source>
      <translation>Die Bibliothek auswählen, die die eigenen Operatoren bereitstellt. Ihr Code läuft im Engine-Prozess; nur eine vertrauenswürdige auswählen. Sie wird für dieses Modell gemerkt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>Library: {names}</source>
      <translation>Bibliothek: {names}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <location filename="inspector/ui/tabs/performance/report_view.py"></location>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Notes</source>
      <translation>Hinweise</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>notes</source>
      <translation>Hinweise</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>  {alike} identical</source>
      <translation>  {alike} identisch</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source>Bars show</source>
      <translation>Balken zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source> · {row_count} of identical blocks</source>
      <translation> · {row_count} identischer Blöcke</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/structure_card.py"></location>
      <source> · {macs} MACs in no scope</source>
      <translation> · {macs} MACs in keinem Scope</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>Minimum {program}</source>
      <translation>{program} ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>File size</source>
      <translation>Dateigröße</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>Runs on</source>
      <translation>Läuft auf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>The oldest release of {program} that runs this model on a CPU</source>
      <translation>Die älteste Version von {program}, die dieses Modell auf einer CPU ausführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>noisy: {reason}</source>
      <translation>verrauscht: {reason}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/performance/speed_cards.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Noisy</source>
      <translation>Verrauscht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>noisy</source>
      <translation>verrauscht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>per token</source>
      <translation>je Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source> · {nested:,} nested</source>
      <translation> · {nested:,} verschachtelt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>calculating…</source>
      <translation>wird berechnet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>no graph</source>
      <translation>kein Graph</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>unknown, {layers}</source>
      <translation>unbekannt, {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>estimated, {layers}</source>
      <translation>geschätzt, {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>at least; unknown for {layers}</source>
      <translation>mindestens; unbekannt für {layers}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source> · {count} in constants</source>
      <translation> · {count} in Konstanten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>in operator attributes</source>
      <translation>in Operatorattributen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>weights {size}, {type}</source>
      <translation>Gewichte {size}, {type}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>weights not read</source>
      <translation>Gewichte nicht gelesen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>{runtime} does not load it</source>
      <translation>{runtime} lädt sie nicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>minimum version not stated</source>
      <translation>Mindestversion nicht angegeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>microcontrollers only</source>
      <translation>nur Mikrocontroller</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>no release loads this file</source>
      <translation>keine Version lädt diese Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>or any later release</source>
      <translation>oder jede spätere Version</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>and a library: {names}</source>
      <translation>und eine Bibliothek: {names}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>required by {with_opset}</source>
      <translation>erforderlich wegen {with_opset}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>none yet</source>
      <translation>noch keine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Overview</source>
      <translation>Übersicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/tab.py"></location>
      <source>Inputs with defaults</source>
      <translation>Eingaben mit Vorgabewert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Partly</source>
      <translation>Teilweise</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Problem</source>
      <translation>Problem</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Not valid</source>
      <translation>Nicht gültig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Check</source>
      <translation>Prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Check again</source>
      <translation>Erneut prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Check whether the file is valid</source>
      <translation>Prüfen, ob die Datei gültig ist</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Show the findings</source>
      <translation>Die Befunde anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Checking {programs}…</source>
      <translation>{programs} wird geprüft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Validity</source>
      <translation>Gültigkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Loads, but is not valid</source>
      <translation>Lädt, ist aber nicht gültig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>onnx, its checker, its shape inference and {runtime} load it.</source>
      <translation>onnx, sein Checker, seine Formableitung und {runtime} laden sie.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Valid</source>
      <translation>Gültig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Does not load in {runtime}</source>
      <translation>Lädt nicht in {runtime}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>{runtime} loaded and ran it.</source>
      <translation>{runtime} hat sie geladen und ausgeführt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Loads and runs</source>
      <translation>Lädt und läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Inspector can read the whole file.</source>
      <translation>Inspector kann die ganze Datei lesen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Readable</source>
      <translation>Lesbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Inspector can read it. ONNX Runtime and the onnx checker: not checked.</source>
      <translation>Inspector kann sie lesen. ONNX Runtime und der Prüfer von onnx: nicht geprüft.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/validity.py"></location>
      <source>Loads, but a run failed</source>
      <translation>Lädt, aber ein Lauf schlug fehl</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <source>None.</source>
      <translation>Keine.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>(no name)</source>
      <translation>(ohne Namen)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <source>{dtype} tensor</source>
      <translation>{dtype}-Tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <source>more</source>
      <translation>weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <source>{unnamed} unnamed</source>
      <translation>{unnamed} ohne Namen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/overview/value_cards.py"></location>
      <source>dynamic: {text}</source>
      <translation>dynamisch: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py"></location>
      <source>A run succeeded with the failing layers forced to the CPU.</source>
      <translation>Ein Lauf gelang mit den fehlschlagenden Schichten auf der CPU.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py"></location>
      <source>No run succeeded, so each layer was checked on its own: {}.</source>
      <translation>Kein Lauf gelang, daher wurde jede Schicht einzeln geprüft: {}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/coverage_card.py"></location>
      <source>Filter, or type “failed” or “not supported”</source>
      <translation>Filtern oder „failed“ bzw. „not supported“ eingeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>Filter by name, operator, device or reason</source>
      <translation>Nach Name, Operator, Gerät oder Grund filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>Operator types</source>
      <translation>Operatortypen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Details</source>
      <translation>Details</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>Hide details</source>
      <translation>Details ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>{count:,} added by runtime</source>
      <translation>{count:,} von der Laufzeitumgebung eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>List copies, casts and layout conversions that the runtime added</source>
      <translation>Kopien, Typ- und Layoutumwandlungen auflisten, die die Laufzeitumgebung eingefügt hat</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>not timed</source>
      <translation>nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>{count:,} fused or removed</source>
      <translation>{count:,} fusioniert oder entfernt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>List layers that were fused into another one, folded away or never run</source>
      <translation>Schichten auflisten, die in eine andere fusioniert, wegoptimiert oder nie ausgeführt wurden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>Rows of the table</source>
      <translation>Zeilen der Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>Total own time of the listed layers per run, measured with the profiler on; latency is measured without it</source>
      <translation>Gesamte Eigenzeit der aufgelisteten Schichten pro Lauf, mit eingeschaltetem Profiler gemessen; die Latenz wird ohne ihn gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <source>{count:,} of {listed:,}</source>
      <translation>{count:,} von {listed:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/layer_table.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Show in timeline</source>
      <translation>In der Zeitleiste anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Results also vary between processes, because their memory layout differs. Measure in several processes to include this variation.</source>
      <translation>Ergebnisse schwanken auch zwischen Prozessen, weil sich deren Speicheraufteilung unterscheidet. In mehreren Prozessen messen, um diese Schwankung einzubeziehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>All statistics</source>
      <translation>Gesamte Statistik</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>p95: 95% of the runs took at most this long.</source>
      <translation>p95: 95% der Läufe dauerten höchstens so lange.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>95% CI: the range that holds the true median with 95% confidence, if nothing changes.</source>
      <translation>95%-KI: der Bereich, in dem der wahre Median mit 95% Sicherheit liegt, wenn sich nichts ändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>The first load in a new process. Preview shows a shorter time because its process has already loaded the runtime and read the file.</source>
      <translation>Das erste Laden in einem neuen Prozess. Die Vorschau zeigt eine kürzere Zeit: Ihr Prozess hat die Laufzeitumgebung schon geladen und die Datei gelesen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>no run was timed</source>
      <translation>kein Lauf wurde gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Noisy:</source>
      <translation>Verrauscht:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Outputs, compared with an unoptimized run on the CPU: {answer_text}</source>
      <translation>Ausgaben im Vergleich zu einem nicht optimierten Lauf auf der CPU: {answer_text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>outputs differ</source>
      <translation>Ausgaben weichen ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>outputs match</source>
      <translation>Ausgaben stimmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>More</source>
      <translation>Mehr</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Devices</source>
      <translation>Geräte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Other devices…</source>
      <translation>Andere Geräte …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Check which layers other devices support</source>
      <translation>Prüfen, welche Schichten andere Geräte unterstützen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>, not timed</source>
      <translation>, nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>Load</source>
      <translation>Laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>first run {first}</source>
      <translation>erster Lauf {first}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>process peak {size}</source>
      <translation>Prozess max. {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Peak resident memory (RSS) of the process, {size}, minus {size_2} before loading. The weights take {size_3}.</source>
      <translation>Spitze des residenten Speichers (RSS) des Prozesses, {size}, minus {size_2} vor dem Laden. Die Gewichte belegen {size_3}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Measure in {count} processes</source>
      <translation>In {count} Prozessen messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>History…</source>
      <translation>Verlauf …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>List past reports on this model and their trend</source>
      <translation>Frühere Berichte zu diesem Modell und ihren Trend auflisten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Statistics of {runs}</source>
      <translation>Statistik von {runs}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/metric_cards.py"></location>
      <source>Hide statistics</source>
      <translation>Statistik ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>First run</source>
      <translation>Erster Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>first prediction</source>
      <translation>erste Vorhersage</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>Warm-up</source>
      <translation>Aufwärmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>Profile</source>
      <translation>Profil</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>Step {current} of {count}: {title}</source>
      <translation>Schritt {current} von {count}: {title}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source> · 95% CI ±{percent}%</source>
      <translation> · 95%-KI ±{percent}%</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>{unit} · median of {count} so far{precision}</source>
      <translation>{unit} · Median von bisher {count}{precision}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>{unit} a token at context {context} · median of {count} so far{precision}</source>
      <translation>{unit} je Token bei Kontext {context} · Median von bisher {count}{precision}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>{count} from {low} to {high}</source>
      <translation>{count} von {low} bis {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/progress.py"></location>
      <source>Results appear after the warm-up runs.</source>
      <translation>Ergebnisse erscheinen nach den Aufwärmläufen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>Measure with all optimizations</source>
      <translation>Mit allen Optimierungen messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>With all optimizations</source>
      <translation>Mit allen Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>Measure with default thread counts</source>
      <translation>Mit Standard-Threadzahl messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>With default thread counts</source>
      <translation>Mit den üblichen Thread-Zahlen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>Try without conversions</source>
      <translation>Ohne Umwandlungen versuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>Without conversions</source>
      <translation>Ohne Umwandlungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>Try with I/O binding</source>
      <translation>Mit I/O-Bindung ausprobieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/remedies.py"></location>
      <source>With I/O binding</source>
      <translation>Mit I/O-Binding</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/report_view.py"></location>
      <source>Measured {when}</source>
      <translation>Gemessen {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/report_view.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Noisy: {reason}</source>
      <translation>Verrauscht: {reason}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py"></location>
      <source>Shows how near each layer comes to the fastest that this device can compute and move data.</source>
      <translation>Zeigt, wie nah jede Schicht an das herankommt, was dieses Gerät höchstens rechnen und bewegen kann.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Measure device peak</source>
      <translation>Spitzenleistung des Geräts messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py"></location>
      <source>Measure device peak again</source>
      <translation>Spitzenleistung erneut messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py"></location>
      <source>Measures only how fast the device computes and moves data. The model is not measured again; the rest of the report stays as it is</source>
      <translation>Misst, wie schnell das Gerät rechnet und Daten bewegt, nicht das Modell erneut. Der Rest des Berichts bleibt unverändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/roofline_card.py"></location>
      <source>Measuring…{share}</source>
      <translation>Messung läuft …{share}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>key=value; …</source>
      <translation>schlüssel=wert; …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>paths, separated by semicolons</source>
      <translation>Pfade, getrennt durch Semikolons</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>Add rules of your own device…</source>
      <translation>Regeln eines eigenen Geräts hinzufügen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>A JSON file that says which operators the device takes</source>
      <translation>Eine JSON-Datei, die sagt, welche Operatoren das Gerät ausführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Assumes {assumes}</source>
      <translation>Angenommen: {assumes}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>{provider} · estimated from a {source}. {assumed}</source>
      <translation>{provider} · geschätzt aus {source}. {assumed}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>Add rules of your own device</source>
      <translation>Regeln eines eigenen Geräts hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>JSON (*.json)</source>
      <translation>JSON (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>{count} devices</source>
      <translation>{count} Geräte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Session options</source>
      <translation>Sitzungsoptionen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Default</source>
      <translation>Standard</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>layer names, separated by semicolons</source>
      <translation>Schichtnamen, getrennt durch Semikolons</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>Choose a library with custom operators</source>
      <translation>Eine Bibliothek mit eigenen Operatoren auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>'{piece}' is not a whole number from {low} to {high}</source>
      <translation>„{piece}“ ist keine ganze Zahl von {low} bis {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/setting_fields.py"></location>
      <source>'{part}' is not of the form key=value</source>
      <translation>„{part}“ hat nicht die Form schlüssel=wert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>CPU</source>
      <translation>CPU</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Measured</source>
      <translation>Gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Token by token</source>
      <translation>Token für Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>One run of the graph</source>
      <translation>Ein Lauf des Graphen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>More settings</source>
      <translation>Mehr Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Fewer settings</source>
      <translation>Weniger Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Size of {shown}</source>
      <translation>Größe von {shown}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Inputs are filled automatically; choose other inputs in Preview.</source>
      <translation>Eingaben werden automatisch gefüllt; andere Eingaben lassen sich in der Vorschau wählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Inputs from Preview: {shown}{more}</source>
      <translation>Eingaben aus der Vorschau: {shown}{more}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Prompts and contexts are random tokens.</source>
      <translation>Prompts und Kontexte sind zufällige Tokens.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>{tokens} would be in the context, but it holds {limit}</source>
      <translation>{tokens} wären im Kontext, er fasst aber {limit}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>{size} at {length}</source>
      <translation>{size} bei {length}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Estimated memory: {sizes}.</source>
      <translation>Geschätzter Speicher: {sizes}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Settings</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>changed since this report</source>
      <translation>seit diesem Bericht geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Change how the model is measured</source>
      <translation>Ändern, wie das Modell gemessen wird</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <source>Measured with</source>
      <translation>Gemessen mit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/settings.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <location filename="inspector/ui/window/status.py"></location>
      <source>default threads</source>
      <translation>Standardthreads</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Fix in Improve</source>
      <translation>In „Verbessern“ beheben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Quotable latency, bottleneck and top suggestion</source>
      <translation>Angabe der Latenz, Engpass und wichtigster Vorschlag</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Compare measurements</source>
      <translation>Messungen vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Use the earlier setting</source>
      <translation>Frühere Einstellung verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>What to try</source>
      <translation>Was helfen kann</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Other suggestions</source>
      <translation>Weitere Vorschläge</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>All {count} suggestions</source>
      <translation>Alle {count} Vorschläge</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Roofline</source>
      <translation>Roofline</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Find a faster version</source>
      <translation>Schnellere Version suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Show roofline</source>
      <translation>Roofline anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Show timeline</source>
      <translation>Zeitleiste anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Try in Improve</source>
      <translation>In „Verbessern“ ausprobieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Show details</source>
      <translation>Details anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Making these layers twice as fast would cut kernel time by {percent:.0f}%.</source>
      <translation>Diese Schichten doppelt so schnell zu machen, würde die Kernelzeit um {percent:.0f}% senken.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>Bottleneck</source>
      <translation>Engpass</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/suggestions.py"></location>
      <source>What to try: a different device, data type, or input size.</source>
      <translation>Einen Versuch wert: ein anderes Gerät, ein anderer Datentyp oder eine andere Eingabegröße.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/view.py"></location>
      <source>Sweep</source>
      <translation>Messreihe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>The CPU can run this layer, and the device can run all others. The layer table shows which layer it is.</source>
      <translation>Die CPU kann diese Schicht ausführen, das Gerät alle anderen. Die Schichttabelle zeigt, welche es ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Run the layers that fail on the device on the CPU instead, and measure again</source>
      <translation>Die auf dem Gerät fehlschlagenden Schichten stattdessen auf der CPU ausführen und erneut messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Too many layers fail on this device to measure the rest of the model.</source>
      <translation>Auf diesem Gerät schlagen zu viele Schichten fehl, um den Rest des Modells zu messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Choose the library that provides the model's custom operators, and measure again. Its code runs in the engine process; choose only one you trust</source>
      <translation>Die Bibliothek auswählen, die die eigenen Operatoren des Modells bereitstellt, und erneut messen. Ihr Code läuft im Engine-Prozess; nur eine vertrauenswürdige auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Check on the device, layer by layer, which layers run and which fail</source>
      <translation>Auf dem Gerät Schicht für Schicht prüfen, welche laufen und welche fehlschlagen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Measure with fixed sizes</source>
      <translation>Mit festen Größen messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>layer is</source>
      <translation>Schicht wird</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>layers are</source>
      <translation>Schichten werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>{count:,} {are} not supported on a device because of dynamic axes ({names}).</source>
      <translation>{count:,} {are} auf einem Gerät wegen dynamischer Achsen ({names}) nicht unterstützt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>View of the Performance tab</source>
      <translation>Ansicht von „Leistung“</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Performance report</source>
      <translation>Leistungsbericht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Check each layer</source>
      <translation>Jede Schicht prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>This report is of an earlier version of {name}. Measure again for the current file.</source>
      <translation>Dieser Bericht gehört zu einer früheren Version von {name}. Für die aktuelle Datei erneut messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Measure</source>
      <translation>Messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>{shown} has not been measured yet</source>
      <translation>{shown} wurde noch nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Opening {shown}</source>
      <translation>{shown} wird geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>You can measure it as soon as it has loaded.</source>
      <translation>Die Messung ist möglich, sobald das Modell geladen ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Measure the time to the first token, tokens per second at each context, and the layers of both phases.</source>
      <translation>Die Zeit bis zum ersten Token, die Tokens pro Sekunde bei jedem Kontext und die Schichten beider Phasen messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/performance/tab.py"></location>
      <source>Measure its latency, what limits it, the time of each layer, and which layers each device supports.</source>
      <translation>Messen Sie die Latenz, was sie begrenzt, die Zeit jeder Schicht und welche Schichten jedes Gerät unterstützt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Runs the same input again on another device, model or setting and compares the outputs.</source>
      <translation>Führt dieselbe Eingabe auf einem anderen Gerät, mit einem anderen Modell oder einer anderen Einstellung erneut aus und vergleicht die Ausgaben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Exact float16 arithmetic</source>
      <translation>Exakte float16-Arithmetik</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Another model</source>
      <translation>Anderes Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Find first layer that differs</source>
      <translation>Erste abweichende Schicht finden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Comparing…</source>
      <translation>Wird verglichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/compare_view.py"></location>
      <source>Absolute difference: {low:.2g} to {high:.2g}</source>
      <translation>Absolute Differenz: {low:.2g} bis {high:.2g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Camera</source>
      <translation>Kamera</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Pasted image</source>
      <translation>Eingefügtes Bild</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py"></location>
      <source>after {step_count}</source>
      <translation>nach {step_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py"></location>
      <source>{capitalize} to {size}</source>
      <translation>{capitalize} auf {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/fill_inputs.py"></location>
      <source>Original size</source>
      <translation>Originalgröße</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Filter, or type “wrong” or “failed”</source>
      <translation>Filtern oder „falsch“ bzw. „fehlgeschlagen“ eingeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Filter files</source>
      <translation>Dateien filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <location filename="inspector/ui/tabs/preview/result_pane.py"></location>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>Files</source>
      <translation>Dateien</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open folder…</source>
      <translation>Ordner öffnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Open files…</source>
      <translation>Dateien öffnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>True answers in the folder</source>
      <translation>Richtige Antworten im Ordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>No true answers</source>
      <translation>Keine richtigen Antworten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>True answers from a file…</source>
      <translation>Richtige Antworten aus einer Datei…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>True answers</source>
      <translation>Richtige Antworten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Compare the results with</source>
      <translation>Ergebnisse vergleichen mit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Nothing to compare with</source>
      <translation>Nichts zum Vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Run on {folder}</source>
      <translation>Mit {folder} ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>The test folder of this model</source>
      <translation>Der Testordner dieses Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Tables (*.csv);;COCO (*.json)</source>
      <translation>Tabellen (*.csv);;COCO (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Run {model} on {count:,} images</source>
      <translation>{model} auf {count:,} Bildern ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Run {model} on the rows of {name}</source>
      <translation>{model} auf den Zeilen von {name} ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Run {model} on the files of {name}</source>
      <translation>{model} mit den Dateien von {name} ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Drop a folder, several files or a table (.csv) here. The model runs on each file or row, with the preprocessing of the input.</source>
      <translation>Ziehe einen Ordner, mehrere Dateien oder eine Tabelle (.csv) hierher. Das Modell läuft auf jeder Datei oder Zeile, mit der Vorverarbeitung der Eingabe.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>{files:,} of {total:,} files</source>
      <translation>{files:,} von {total:,} Dateien</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>{rows:,} of {total:,} rows</source>
      <translation>{rows:,} von {total:,} Zeilen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Files were added, changed or removed since</source>
      <translation>Seitdem wurden Dateien hinzugefügt, geändert oder entfernt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>A folder of inputs</source>
      <translation>Ordner mit Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <source>Files to run the model on</source>
      <translation>Dateien, auf denen das Modell läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/folder_view.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Export</source>
      <translation>Exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Drop or open an audio file</source>
      <translation>Eine Audiodatei ablegen oder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Waveform</source>
      <translation>Wellenform</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Spectrogram</source>
      <translation>Spektrogramm</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Open…</source>
      <translation>Öffnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Window (samples)</source>
      <translation>Fenster (Samples)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Hop (samples)</source>
      <translation>Schrittweite (Samples)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Leading silence in samples</source>
      <translation>Stille am Anfang in Samples</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Rate in Hz</source>
      <translation>Abtastrate in Hz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Repeat short audio instead of padding with silence</source>
      <translation>Kurzes Audio wiederholen statt mit Stille aufzufüllen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source> · mean of {channels} channels</source>
      <translation> · Mittel von {channels} Kanälen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>{name} · {rate:,} Hz{sides}</source>
      <translation>{name} · {rate:,} Hz{sides}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Vertical: 0 to {highest:,.0f} Hz. Horizontal: time</source>
      <translation>Vertikal: 0 bis {highest:,.0f} Hz. Horizontal: Zeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Steps</source>
      <translation>Schritte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Hop</source>
      <translation>Schrittweite</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Window</source>
      <translation>Fenster</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Context</source>
      <translation>Kontext</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Rate</source>
      <translation>Abtastrate</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>as selected</source>
      <translation>wie ausgewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Magnitude spectrum of each window · </source>
      <translation>Betragsspektrum jedes Fensters · </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/audio_editor.py"></location>
      <source>Audio for this input</source>
      <translation>Audio für diese Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py"></location>
      <source>Dynamic axes</source>
      <translation>Dynamische Achsen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/axis_lengths.py"></location>
      <source>currently {length:,}</source>
      <translation>derzeit {length:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>To use the camera, install the Qt module for it: pip install "onnx-inspector[media]"</source>
      <translation>Um die Kamera zu verwenden, das Qt-Modul dafür installieren: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The operating system is blocking Inspector's access to the camera. Allow access in the system settings.</source>
      <translation>Das Betriebssystem verweigert Inspector den Zugriff auf die Kamera. Den Zugriff in den Systemeinstellungen erlauben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>No camera is available on this machine.</source>
      <translation>Auf diesem Rechner ist keine Kamera verfügbar.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>To record audio, install the Qt module for it: pip install "onnx-inspector[media]"</source>
      <translation>Um Audio aufzunehmen, das Qt-Modul dafür installieren: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The operating system is blocking Inspector's access to the microphone. Allow access in the system settings.</source>
      <translation>Das Betriebssystem verweigert Inspector den Zugriff auf das Mikrofon. Den Zugriff in den Systemeinstellungen erlauben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>No microphone is available on this machine.</source>
      <translation>Auf diesem Rechner ist kein Mikrofon verfügbar.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The microphone recorded only silence. Check in the system settings whether it is muted.</source>
      <translation>Das Mikrofon hat nur Stille aufgezeichnet. In den Systemeinstellungen prüfen, ob es stummgeschaltet ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Wayland does not let programs capture the screen. Use your system's screenshot key, then paste it.</source>
      <translation>Wayland erlaubt Programmen keine Bildschirmaufnahme. Die Screenshot-Taste des Systems verwenden und das Bild dann einfügen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The screen could not be captured. Take a screenshot, then paste it.</source>
      <translation>Der Bildschirm konnte nicht aufgenommen werden. Einen Screenshot machen und dann einfügen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Drag a rectangle · Enter captures the whole screen · Esc cancels</source>
      <translation>Ein Rechteck ziehen · Eingabe nimmt den ganzen Bildschirm auf · Esc bricht ab</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The camera stopped{said}; another program may be using it.</source>
      <translation>Die Kamera hat angehalten{said}; möglicherweise verwendet sie ein anderes Programm.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Capture image</source>
      <translation>Bild aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Live: run the model continuously on camera frames</source>
      <translation>Live: das Modell fortlaufend auf Kamerabilder anwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Turn off the camera</source>
      <translation>Kamera ausschalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The microphone does not provide a supported audio format.</source>
      <translation>Das Mikrofon bietet kein unterstütztes Audioformat.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>The microphone could not be opened; another program may be using it.</source>
      <translation>Das Mikrofon konnte nicht geöffnet werden; möglicherweise verwendet es ein anderes Programm.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Microphone level</source>
      <translation>Mikrofonpegel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Record</source>
      <translation>Aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source> Stop</source>
      <translation> Stopp</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>recording {number}.wav</source>
      <translation>Aufnahme {number}.wav</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source> Record</source>
      <translation> Aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/capture.py"></location>
      <source>Capture part of the screen</source>
      <translation>Teil des Bildschirms aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Suggested for this model</source>
      <translation>Für dieses Modell vorgeschlagen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Custom</source>
      <translation>Angepasst</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Gray</source>
      <translation>Grau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Preset</source>
      <translation>Vorgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Width</source>
      <translation>Breite</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>original</source>
      <translation>Original</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Height</source>
      <translation>Höhe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Filter</source>
      <translation>Filter</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Channels</source>
      <translation>Kanäle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Layout</source>
      <translation>Layout</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Range</source>
      <translation>Wertebereich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Padding value</source>
      <translation>Füllwert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Gray level around the image; only with Resize: Fit</source>
      <translation>Grauwert rund um das Bild; nur mit Skalieren: Fit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Mean of red, green, blue</source>
      <translation>Mittelwert von Rot, Grün, Blau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Standard deviation of red, green, blue</source>
      <translation>Standardabweichung von Rot, Grün, Blau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>Mean</source>
      <translation>Mittel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Std</source>
      <translation>Std.-Abw.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Mean and std must be numbers, such as 0.485, 0.456, 0.406.</source>
      <translation>Mittelwert und Standardabweichung müssen Zahlen sein, zum Beispiel 0.485, 0.456, 0.406.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Value range {range_text}{why}</source>
      <translation>Wertebereich {range_text}{why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Expects: {text}</source>
      <translation>Erwartet: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Image: drop, paste or open one</source>
      <translation>Bild: ablegen, einfügen oder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Model input</source>
      <translation>Modelleingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>No image yet</source>
      <translation>Noch kein Bild</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Try other presets</source>
      <translation>Andere Vorgaben ausprobieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Run the model with each common preset and compare the results</source>
      <translation>Das Modell mit jeder gängigen Vorgabe ausführen und die Ergebnisse vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Show or hide the preprocessing</source>
      <translation>Vorverarbeitung ein- oder ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Paste</source>
      <translation>Einfügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Screen…</source>
      <translation>Bildschirm …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Capture part of the screen (this window hides while you select)</source>
      <translation>Teil des Bildschirms aufnehmen (dieses Fenster ist während der Auswahl ausgeblendet)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Use a sample</source>
      <translation>Beispiel verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Inverted {name}</source>
      <translation>{name}, invertiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Model input · {width} × {height}</source>
      <translation>Modelleingabe · {width} × {height}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/image_editor.py"></location>
      <source>Preprocessing</source>
      <translation>Vorverarbeitung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Next step</source>
      <translation>Nächster Schritt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Run again with the state that this run returned</source>
      <translation>Erneut ausführen, mit dem Zustand, den dieser Lauf zurückgegeben hat</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Reset state</source>
      <translation>Zustand zurücksetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Starts at zero, then takes the value of {output}</source>
      <translation>Beginnt mit null und übernimmt dann den Wert von {output}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Value of {output} after {step_count}</source>
      <translation>Wert von {output} nach {step_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Audio</source>
      <translation>Audio</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Fill with {media} or with values</source>
      <translation>Mit {media} oder mit Werten füllen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Save preprocessing…</source>
      <translation>Vorverarbeitung speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Save this preprocessing for the next time</source>
      <translation>Diese Vorverarbeitung für das nächste Mal speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Save it to a file next to the model, or to a copy of the model</source>
      <translation>In einer Datei neben dem Modell oder in einer Kopie des Modells speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Show code…</source>
      <translation>Code anzeigen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Edit…</source>
      <translation>Bearbeiten …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Edit the values of {name}</source>
      <translation>Werte von {name} bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Edit the values cell by cell</source>
      <translation>Die Werte Zelle für Zelle bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Saved</source>
      <translation>Gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Saved in {source}</source>
      <translation>In {source} gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>No values.</source>
      <translation>Keine Werte.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Code that preprocesses an image this way in your program</source>
      <translation>Code, der ein Bild im eigenen Programm so vorverarbeitet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Use the image as the input {input}</source>
      <translation>Bild als Eingabe {input} verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>Use {name} as the input {input}</source>
      <translation>{name} als Eingabe {input} verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>, all {number}</source>
      <translation>, alle {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_editor.py"></location>
      <source>, {low} to {high}, mean {mean}</source>
      <translation>, {low} bis {high}, Mittelwert {mean}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Drop, paste or open an image</source>
      <translation>Ein Bild ablegen, einfügen oder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>{noun} to run the model.</source>
      <translation>{noun}, um das Modell auszuführen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Could not use {name}</source>
      <translation>{name} konnte nicht verwendet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>the model has no input '{name}'</source>
      <translation>das Modell hat keine Eingabe „{name}“</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>the clipboard</source>
      <translation>die Zwischenablage</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>there is no image on the clipboard</source>
      <translation>in der Zwischenablage ist kein Bild</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Copy an image or a file first.</source>
      <translation>Zuerst ein Bild oder eine Datei kopieren.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Could not paste an image</source>
      <translation>Es konnte kein Bild eingefügt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>Could not use {value}</source>
      <translation>{value} konnte nicht verwendet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/input_list.py"></location>
      <source>no input of this model takes an image</source>
      <translation>keine Eingabe dieses Modells nimmt ein Bild an</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Key</source>
      <translation>Schlüssel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>new key</source>
      <translation>neuer Schlüssel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>row {line}, {heads}: {value}</source>
      <translation>Zeile {line}, {heads}: {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>empty</source>
      <translation>leer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Keys and values of {name}</source>
      <translation>Schlüssel und Werte von {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Remove the selected key</source>
      <translation>Den ausgewählten Schlüssel entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Load keys and values from a JSON file</source>
      <translation>Schlüssel und Werte aus einer JSON-Datei laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Keys are {get}</source>
      <translation>Schlüssel sind {get}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>whole numbers</source>
      <translation>ganze Zahlen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>Open Map</source>
      <translation>Map öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/map_editor.py"></location>
      <source>'{twice}' appears twice; the last one is used.</source>
      <translation>„{twice}“ kommt zweimal vor; der letzte Eintrag gilt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/signature_card.py"></location>
      <source>main graph</source>
      <translation>Hauptgraph</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/signature_card.py"></location>
      <source>Another signature runs in a copy of the model.</source>
      <translation>Eine andere Signatur läuft in einer Kopie des Modells.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>Tables (*.csv *.tsv *.txt);;All files (*)</source>
      <translation>Tabellen (*.csv *.tsv *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>Values of the inputs</source>
      <translation>Werte der Eingaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>Find an input</source>
      <translation>Eingabe suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Clear</source>
      <translation>Leeren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>Row of the table</source>
      <translation>Zeile der Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Row</source>
      <translation>Zeile</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>A row of a table</source>
      <translation>Eine Zeile einer Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>{input_count}, one value each</source>
      <translation>{input_count}, je ein Wert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>pasted</source>
      <translation>eingefügt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>Use the rows of {name} as inputs</source>
      <translation>Zeilen von {name} als Eingaben verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>of {many:,} · {source}</source>
      <translation>von {many:,} · {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>'{shown}' is not a number for {name} ({described}).</source>
      <translation>„{shown}“ ist keine Zahl für {name} ({described}).</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>{given:,} of {total:,} set; the others use default values.</source>
      <translation>{given:,} von {total:,} gesetzt; die übrigen verwenden Standardwerte.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/table_editor.py"></location>
      <source>A table</source>
      <translation>Eine Tabelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Ones</source>
      <translation>Einsen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Random</source>
      <translation>Zufällig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Zeros</source>
      <translation>Nullen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Values ({patterns});;All files (*)</source>
      <translation>Werte ({patterns});;Alle Dateien (*)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Enter text</source>
      <translation>Text eingeben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Randomize</source>
      <translation>Neu würfeln</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Type and shape of the file</source>
      <translation>Typ und Form der Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>uint8:1x28x28, or empty: as the input</source>
      <translation>uint8:1x28x28, oder leer: wie der Eingang</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Values for this input</source>
      <translation>Werte für diese Eingabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>No file yet</source>
      <translation>Noch keine Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Values of {name}</source>
      <translation>Werte von {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Click a value to edit it</source>
      <translation>Zum Bearbeiten auf einen Wert klicken</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>Values outside the shape were ignored.</source>
      <translation>Werte außerhalb der Form wurden ignoriert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/inputs/tensor_editor.py"></location>
      <source>the typed values</source>
      <translation>die eingegebenen Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <source>To play audio: pip install "onnx-inspector[media]"</source>
      <translation>Um Audio abzuspielen: pip install "onnx-inspector[media]"</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <source>No audio output device is available on this machine.</source>
      <translation>Auf diesem Rechner ist kein Audioausgabegerät verfügbar.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <source>Play</source>
      <translation>Abspielen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <source> Play</source>
      <translation> Abspielen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/audio_player.py"></location>
      <source>The audio output device does not support {rate:,} Hz.</source>
      <translation>Das Audioausgabegerät unterstützt {rate:,} Hz nicht.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py"></location>
      <source>row {number}</source>
      <translation>Zeile {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py"></location>
      <source>Row {number}</source>
      <translation>Zeile {number}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py"></location>
      <source>Top classes</source>
      <translation>Oberste Klassen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/class_bars.py"></location>
      <source>Mean opinion score, 1 (bad) to 5 (excellent)</source>
      <translation>Mean Opinion Score, 1 (schlecht) bis 5 (ausgezeichnet)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>Cosine similarity, highest first</source>
      <translation>Kosinus-Ähnlichkeit, höchste zuerst</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>Save embedding</source>
      <translation>Einbettung speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>result {count}</source>
      <translation>Ergebnis {count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>{count:,} values · L2 norm {length:.4g}</source>
      <translation>{count:,} Werte · L2-Norm {length:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>Save this embedding, then change the input to compare the two by cosine similarity.</source>
      <translation>Diese Einbettung speichern und dann die Eingabe ändern, um beide nach Kosinus-Ähnlichkeit zu vergleichen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>the {shown} nearest of </source>
      <translation>den {shown} nächsten von </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/embedding_output.py"></location>
      <source>Cosine similarity to {nearest}{others}; 1 = same direction</source>
      <translation>Kosinus-Ähnlichkeit zu {nearest}{others}; 1 = gleiche Richtung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>Before on the left, after on the right</source>
      <translation>Links vorher, rechts nachher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>Side by side</source>
      <translation>Nebeneinander</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>Slider</source>
      <translation>Schieber</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>Before and after view</source>
      <translation>Vorher-Nachher-Ansicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Before</source>
      <translation>Vorher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Drag to compare before and after</source>
      <translation>Ziehen, um vorher und nachher zu vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>Before · {shape} × {shape_2}</source>
      <translation>Vorher · {shape} × {shape_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>black = {low:.4g}, white = {high:.4g}</source>
      <translation>schwarz = {low:.4g}, weiß = {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_output.py"></location>
      <source>After · </source>
      <translation>Nachher · </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_view.py"></location>
      <source>Drop an image here</source>
      <translation>Ein Bild hier ablegen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/image_view.py"></location>
      <source>or paste one, or click</source>
      <translation>oder einfügen oder klicken</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Model family</source>
      <translation>Modellfamilie</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Use the guessed one</source>
      <translation>Erkannte verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Restore the detected preprocessing</source>
      <translation>Die erkannte Vorverarbeitung wiederherstellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Run with the guessed preprocessing only</source>
      <translation>Nur mit der vermuteten Vorverarbeitung ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Recognized as {name}</source>
      <translation>Erkannt als {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>the result is not meaningful: {nothing}</source>
      <translation>das Ergebnis ist nicht aussagekräftig: {nothing}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Input: {preprocessing}.</source>
      <translation>Eingabe: {preprocessing}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Source: {source}</source>
      <translation>Quelle: {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>Assumed: {assumed}.</source>
      <translation>Angenommen: {assumed}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <source>outputs</source>
      <translation>Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_list.py"></location>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Running…</source>
      <translation>Modell läuft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Over time</source>
      <translation>Zeitverlauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>Heat map</source>
      <translation>Heatmap</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Similarity</source>
      <translation>Ähnlichkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Scores</source>
      <translation>Scores</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>As probabilities (softmax)</source>
      <translation>Als Wahrscheinlichkeiten (Softmax)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Class names…</source>
      <translation>Klassennamen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>The class names come from an output of the model</source>
      <translation>Die Klassennamen stammen aus einer Ausgabe des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Output text</source>
      <translation>Ausgabetext</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>View of {name}</source>
      <translation>Ansicht von {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Save output {name}…</source>
      <translation>Ausgabe {name} speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>infinite</source>
      <translation>unendlich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source> · raw values {minimum:.4g} to {maximum:.4g} · mean {mean:.4g}{odd}</source>
      <translation> · Rohwerte {minimum:.4g} bis {maximum:.4g} · Mittel {mean:.4g}{odd}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/output_view.py"></location>
      <source>Output “{name}”</source>
      <translation>Ausgabe „{name}“</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Boxes</source>
      <translation>Rahmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Keypoints</source>
      <translation>Keypoints</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Pixels</source>
      <translation>Pixel</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Detections</source>
      <translation>Erkennungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>{count} detected</source>
      <translation>{count} erkannt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>{point_count} above this score</source>
      <translation>{point_count} über diesem Score</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Dark: {low:.4g} · bright: {high:.4g}</source>
      <translation>Dunkel: {low:.4g} · hell: {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Left of the line: before. Right of it: after</source>
      <translation>Links der Linie: vorher. Rechts davon: nachher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Nothing above this score</source>
      <translation>Nichts über diesem Score</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Nothing above this score; the best box has {score}</source>
      <translation>Nichts über diesem Wert; der beste Rahmen hat {score}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Decoder</source>
      <translation>Decoder</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Score threshold</source>
      <translation>Score-Schwelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Overlap threshold</source>
      <translation>Schwelle der Überlappung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Opacity</source>
      <translation>Deckkraft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Hide boxes and points with lower scores</source>
      <translation>Rahmen und Punkte mit niedrigeren Scores ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Of two boxes of one class that overlap more than this, only the box with the higher score is kept (non-maximum suppression, by intersection over union)</source>
      <translation>Von zwei Rahmen einer Klasse, die sich stärker überlappen, bleibt nur der mit dem höheren Wert (Non-Maximum Suppression, nach Intersection over Union)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Decoder:</source>
      <translation>Decoder:</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/scene_card.py"></location>
      <source>Decoded output</source>
      <translation>Dekodierte Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Distribution</source>
      <translation>Verteilung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Map</source>
      <translation>Karte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Summary</source>
      <translation>Zusammenfassung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>row {row}, {name}: {text}</source>
      <translation>Zeile {row}, {name}: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Tensor values</source>
      <translation>Werte des Tensors</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Infinite</source>
      <translation>Unendlich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Min</source>
      <translation>Min</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Max</source>
      <translation>Max</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Std dev</source>
      <translation>Std.-Abw.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>No elements.</source>
      <translation>Keine Elemente.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>The first {shown} of {element_count}</source>
      <translation>Die ersten {shown} von {element_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Tensor view</source>
      <translation>Tensoransicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>Index of the tensor in the sequence</source>
      <translation>Index des Tensors in der Sequenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Values of the slice</source>
      <translation>Werte des Schnitts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/tensor_output.py"></location>
      <source>No finite values.</source>
      <translation>Keine endlichen Werte.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>Likely next tokens</source>
      <translation>Wahrscheinliche nächste Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>Continue text</source>
      <translation>Text fortsetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>Tokens to generate</source>
      <translation>Zu erzeugende Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>tokens</source>
      <translation>Tokens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source> Continue text</source>
      <translation> Text fortsetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>with a key-value cache</source>
      <translation>mit Key-Value-Cache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>without a key-value cache</source>
      <translation>ohne Key-Value-Cache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>; end of text</source>
      <translation>; Ende des Textes</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>{number}, {each} each, {value}{over}</source>
      <translation>{number}, je {each}, {value}{over}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/text_output.py"></location>
      <source>Stopped after {token_count}</source>
      <translation>Nach {token_count} angehalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Values over time</source>
      <translation>Werte im Zeitverlauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Threshold</source>
      <translation>Schwelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>{steps} of {step_seconds:.4g} ms · mean {mean:.4f}</source>
      <translation>{steps} zu {step_seconds:.4g} ms · Mittelwert {mean:.4f}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source> · {value:.1f}% above the threshold, in {spans}</source>
      <translation> · {value:.1f}% über der Schwelle ({spans})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Bottom to top: {rows}. Left to right: {seconds:.2f} s. {values}</source>
      <translation>Von unten nach oben: {rows}. Von links nach rechts: {seconds:.2f} s. {values}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Waveform of the output</source>
      <translation>Wellenform der Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Save .wav…</source>
      <translation>.wav speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>{count:,} samples, {seconds:.2f} s at an assumed {rate:,} Hz</source>
      <translation>{count:,} Samples, {seconds:.2f} s bei angenommenen {rate:,} Hz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/outputs/time_series_output.py"></location>
      <source>Save audio</source>
      <translation>Audio speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Not a benchmark: these are a few runs with this input.</source>
      <translation>Kein Benchmark: wenige Läufe mit dieser Eingabe.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Run</source>
      <translation>Ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Run the model once with these inputs</source>
      <translation>Das Modell einmal mit diesen Eingaben ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Measured latency</source>
      <translation>Gemessene Latenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Model load</source>
      <translation>Laden des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <location filename="inspector/ui/window/main_window.py"></location>
      <location filename="inspector/ui/window/session.py"></location>
      <source> and </source>
      <translation> und </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>unknown device</source>
      <translation>unbekanntes Gerät</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>output decoding</source>
      <translation>Dekodieren der Ausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>preprocessing</source>
      <translation>Vorverarbeitung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source> (the first time, with one-time setup)</source>
      <translation> (das erste Mal, mit einmaliger Einrichtung)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>{label_text} on {where}</source>
      <translation>{label_text} auf {where}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>once, with cold caches</source>
      <translation>einmal, mit kalten Caches</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>in the running engine</source>
      <translation>in der laufenden Engine</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Not a benchmark: press Measure for a latency that you can quote.</source>
      <translation>Kein Benchmark: „Messen“ liefert eine belastbare Latenz.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Latency of one step</source>
      <translation>Latenz eines Schritts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>this run</source>
      <translation>dieser Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>the first call, with cold caches</source>
      <translation>der erste Aufruf, mit kalten Caches</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Warm latency</source>
      <translation>Warme Latenz</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Invert image</source>
      <translation>Bild invertieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_card.py"></location>
      <source>Run with light and dark exchanged</source>
      <translation>Mit vertauschtem Hell und Dunkel ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/prediction_pipeline.py"></location>
      <source>the output contains NaN, with default inputs: enter values or use a sample</source>
      <translation>die Ausgabe enthält NaN, mit Standardeingaben: Werte eingeben oder ein Beispiel verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/read_outputs.py"></location>
      <source>Raw outputs</source>
      <translation>Rohausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py"></location>
      <source>Set the inputs first; the model then runs twice.</source>
      <translation>Zuerst die Eingaben festlegen; das Modell läuft dann zweimal.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py"></location>
      <source>Result</source>
      <translation>Ergebnis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/result_pane.py"></location>
      <source>Result view</source>
      <translation>Ergebnisansicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>In {name}, next to the model</source>
      <translation>In {name}, neben dem Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>In a copy of the model…</source>
      <translation>In einer Kopie des Modells …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Copy of the model</source>
      <translation>Kopie des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Preview</source>
      <translation>Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Nothing was changed in Preview</source>
      <translation>In der Vorschau wurde nichts geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Nothing was undone in Preview</source>
      <translation>In der Vorschau wurde nichts rückgängig gemacht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Class names assumed: {text}, the only known list with {count:,} names.</source>
      <translation>Klassennamen angenommen: {text}, die einzige bekannte Liste mit {count:,} Namen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>{label_count} from {source}</source>
      <translation>{label_count} aus {source}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>the model's metadata</source>
      <translation>die Metadaten des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Waiting for the measurement to finish.</source>
      <translation>Auf das Ende der Messung warten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>No result yet.</source>
      <translation>Noch kein Ergebnis.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Cast to {dtype}</source>
      <translation>In {dtype} umgewandelt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/tab.py"></location>
      <source>Save output</source>
      <translation>Ausgabe speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/thumbnails.py"></location>
      <source>Images with results</source>
      <translation>Bilder mit Ergebnissen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/thumbnails.py"></location>
      <source>failed: {why}</source>
      <translation>fehlgeschlagen: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/thumbnails.py"></location>
      <source>✗ {answer}, not {truth}</source>
      <translation>✗ {answer}, nicht {truth}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Close</source>
      <translation>Schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Common presets</source>
      <translation>Gängige Vorgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Score</source>
      <translation>Score</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Top result</source>
      <translation>Oberstes Ergebnis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Use</source>
      <translation>Verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Use {name}</source>
      <translation>{name} verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>{set_count} next to the model</source>
      <translation>{set_count} neben dem Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Expected outputs</source>
      <translation>Erwartete Ausgaben</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>{failed} of {sets} failed</source>
      <translation>{failed} von {sets} fehlgeschlagen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/preview/trials.py"></location>
      <source>Passed: {sets}</source>
      <translation>Bestanden: {sets}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/choice_card.py"></location>
      <source>Add reports…</source>
      <translation>Berichte hinzufügen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/choice_card.py"></location>
      <source>Add reports</source>
      <translation>Berichte hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/choice_card.py"></location>
      <source>Reports (*.json)</source>
      <translation>Berichte (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>{done:,} of {all_cells} measured</source>
      <translation>{done:,} von {all_cells} gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>Axis {key}</source>
      <translation>Achse {key}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Use these settings</source>
      <translation>Diese Einstellungen verwenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/heat_map_card.py"></location>
      <source>95% CI of the median</source>
      <translation>95%-KI des Medians</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>“Run sweep” measures every combination of the values selected above, each in new processes. “Find best settings” searches for the best settings, also on several devices.</source>
      <translation>„Sweep starten“ misst jede Kombination der oben gewählten Werte, jede in neuen Prozessen. „Beste Einstellungen finden“ sucht die besten Einstellungen, auch auf mehreren Geräten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Best settings</source>
      <translation>Beste Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Programming language</source>
      <translation>Programmiersprache</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Copy</source>
      <translation>Kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Settings as code</source>
      <translation>Einstellungen als Code</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Current step: {step}</source>
      <translation>Aktueller Schritt: {step}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>The search was canceled.</source>
      <translation>Die Suche wurde abgebrochen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Best so far: {leader_text}</source>
      <translation>Bisher am besten: {leader_text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Best settings. {text}</source>
      <translation>Beste Einstellungen. {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>{combination_count} tried</source>
      <translation>{combination_count} ausprobiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>{text}, {failed} of them failed.</source>
      <translation>{text}, {failed} davon fehlgeschlagen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>No sweep yet</source>
      <translation>Noch keine Messreihe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>, measuring the fastest again</source>
      <translation>, schnellste werden erneut gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>{done:,} of {whole} done{last}</source>
      <translation>{done:,} von {whole} fertig{last}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Sweep stopped early</source>
      <translation>Messreihe vorzeitig beendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>Fastest: {settings_label}</source>
      <translation>Am schnellsten: {settings_label}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>{median}; 95% CI {durations}, {count} {value}.</source>
      <translation>{median}; 95%-KI {durations}, {count} {value}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>process</source>
      <translation>Prozess</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/outcome.py"></location>
      <source>processes</source>
      <translation>Prozesse</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Cannot be changed while a sweep runs</source>
      <translation>Nicht änderbar, während eine Messreihe läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Requires the parallel execution mode</source>
      <translation>Erfordert den parallelen Ausführungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Add models…</source>
      <translation>Modelle hinzufügen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>is included</source>
      <translation>ist enthalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>is included; click to remove it</source>
      <translation>ist enthalten; zum Entfernen klicken</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Add models to the sweep</source>
      <translation>Modelle zur Messreihe hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>same as in Settings</source>
      <translation>wie in den Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Fewer settings </source>
      <translation>Weniger Einstellungen </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>More settings </source>
      <translation>Mehr Einstellungen </translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Processes per combination</source>
      <translation>Prozesse pro Kombination</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Runs per process</source>
      <translation>Läufe pro Prozess</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Run sweep</source>
      <translation>Messreihe starten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Resume</source>
      <translation>Fortsetzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Find best settings…</source>
      <translation>Beste Einstellungen finden…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Also measure 1, 2 and 4 concurrent runs</source>
      <translation>Auch 1, 2 und 4 gleichzeitige Läufe messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Cannot be changed while the sweep runs</source>
      <translation>Nicht änderbar, während die Messreihe läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plan_card.py"></location>
      <source>Resume, {left} left</source>
      <translation>Fortsetzen, {left} übrig</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_menu.py"></location>
      <source>Save image…</source>
      <translation>Bild speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/plot_menu.py"></location>
      <source>Copy image</source>
      <translation>Bild kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Measure on all devices — Inspector</source>
      <translation>Auf allen Geräten messen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Find best settings — Inspector</source>
      <translation>Beste Einstellungen finden — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Least memory</source>
      <translation>Wenigster Speicher</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Most items per second</source>
      <translation>Meiste Elemente pro Sekunde</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Limit of p95</source>
      <translation>Grenze für p95</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Batch axis</source>
      <translation>Batch-Achse</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Provider options</source>
      <translation>Provider-Optionen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>KEY=VALUE,VALUE; KEY=VALUE,VALUE</source>
      <translation>SCHLÜSSEL=WERT,WERT; SCHLÜSSEL=WERT,WERT</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>Duration</source>
      <translation>Dauer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Start</source>
      <translation>Beginn</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Each change is measured interleaved with the best settings before it, and the winner with the default settings.</source>
      <translation>Jede Änderung wird abwechselnd mit den bisher besten Einstellungen gemessen, die beste am Ende mit den voreingestellten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>p95 at most</source>
      <translation>p95 höchstens</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>Batch sizes to try</source>
      <translation>Zu probierende Batch-Größen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>{device} (settings)</source>
      <translation>{device} (Einstellungen)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/search_dialog.py"></location>
      <source>This machine has no other device.</source>
      <translation>Dieser Rechner hat kein anderes Gerät.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/view.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Filter by any value</source>
      <translation>Nach beliebigem Wert filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/view.py"></location>
      <source>Filter combinations</source>
      <translation>Kombinationen filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/view.py"></location>
      <source>Combinations of the sweep</source>
      <translation>Kombinationen der Messreihe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/sweep/view.py"></location>
      <source>Combinations</source>
      <translation>Kombinationen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source>Filter by event, operator or track</source>
      <translation>Nach Ereignis, Operator oder Spur filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>By {value}</source>
      <translation>Nach {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source>Group by</source>
      <translation>Gruppieren nach</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source>Filter events</source>
      <translation>Ereignisse filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Events</source>
      <translation>Ereignisse</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source>{shown:,} of {all_of_them:,}</source>
      <translation>{shown:,} von {all_of_them:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source> · self {duration}</source>
      <translation> · selbst {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source> · in the selected {duration}</source>
      <translation> · in den ausgewählten {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/events_table.py"></location>
      <source>Grouping {count:,} events…</source>
      <translation>{count:,} Ereignisse werden gruppiert …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>The program runs unchanged: under its own Python (3.11 or later), or on Linux any program that loads ONNX Runtime as a shared library. Inspector records its ONNX Runtime calls, and those of the programs that it starts.</source>
      <translation>Das Programm läuft unverändert: unter seinem eigenen Python (ab 3.11), oder unter Linux jedes Programm, das ONNX Runtime als gemeinsame Bibliothek lädt. Inspector zeichnet seine Aufrufe von ONNX Runtime auf, auch die der Programme, die es startet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Profile each layer of the next runs of each session, and of these runs only</source>
      <translation>Jede Schicht der nächsten Läufe jeder Sitzung messen, und nur dieser Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Only native programs with ONNX Runtime 1.25 or later can profile runs while they run. For this program, choose the runs before you record.</source>
      <translation>Nur native Programme mit ONNX Runtime ab 1.25 können Läufe messen, während sie laufen. Wählen Sie für dieses Programm die Läufe vor der Aufzeichnung.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Record a program — Inspector</source>
      <translation>Programm aufzeichnen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Choose…</source>
      <translation>Auswählen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Profile the layers in the first</source>
      <translation>Profiliert werden die Schichten in den ersten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Number of profiled runs</source>
      <translation>Anzahl der profilierten Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Open the next inputs</source>
      <translation>Die nächsten Eingaben öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Save what the next run gets, and open it in Preview with its model</source>
      <translation>Speichern, was der nächste Lauf bekommt, und es mit seinem Modell in der Vorschau öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Record layers of the next</source>
      <translation>Schichten aufzeichnen der nächsten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Number of runs whose layers are recorded</source>
      <translation>Anzahl der Läufe, deren Schichten aufgezeichnet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>runs of each session</source>
      <translation>Läufen jeder Sitzung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Recordings folder</source>
      <translation>Ordner für Aufzeichnungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Choose the program</source>
      <translation>Das Programm wählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Choose the recordings folder</source>
      <translation>Den Ordner für Aufzeichnungen auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>python app.py</source>
      <translation>python app.py</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Command line</source>
      <translation>Befehlszeile</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Working folder</source>
      <translation>Arbeitsordner</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Profile layers</source>
      <translation>Schichten profilieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Program output</source>
      <translation>Programmausgabe</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>The output of the program appears here.</source>
      <translation>Hier erscheint die Ausgabe des Programms.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Save recording in</source>
      <translation>Aufzeichnung speichern in</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Force quit</source>
      <translation>Sofort beenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Stopping</source>
      <translation>Wird angehalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>{action}: {name}</source>
      <translation>{action}: {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Use the Python of Inspector</source>
      <translation>Das Python von Inspector nutzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Python programs ({suffix})</source>
      <translation>Python-Programme ({suffix})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>All files ({suffix})</source>
      <translation>Alle Dateien ({suffix})</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/record_dialog.py"></location>
      <source>Program to record</source>
      <translation>Aufzunehmendes Programm</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Launched</source>
      <translation>Gestartet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Launched by</source>
      <translation>Gestartet von</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Required</source>
      <translation>Erforderlich</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Required by</source>
      <translation>Erforderlich wegen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Follows from</source>
      <translation>Folgt aus</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Leads to</source>
      <translation>Führt zu</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>not profiled</source>
      <translation>nicht profiliert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>no nested events</source>
      <translation>keine verschachtelten Ereignisse</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>self {duration}</source>
      <translation>eigen {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>End</source>
      <translation>Ende</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>{name}, depth {depth}</source>
      <translation>{name}, Tiefe {depth}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Process</source>
      <translation>Prozess</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Parent</source>
      <translation>Übergeordnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Models</source>
      <translation>Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Select an event in the timeline or the table to see its details.</source>
      <translation>Ein Ereignis in der Zeitleiste oder der Tabelle auswählen, um seine Details zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>unnamed model</source>
      <translation>Modell ohne Namen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Runs of {model}</source>
      <translation>Läufe von {model}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>{whole} across {count:,} models</source>
      <translation>{whole} über {count:,} Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>1 of {count:,} similar events · longer than {slower:.0%} of them</source>
      <translation>1 von {count:,} ähnlichen Ereignissen · länger als {slower:.0%} davon</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>median {duration}</source>
      <translation>Median {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Show the layer in its model</source>
      <translation>Schicht in ihrem Modell zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>Flow arrows</source>
      <translation>Verbindungspfeile</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/span_pane.py"></location>
      <source>and {count:,} more</source>
      <translation>und {count:,} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Select an event to see its details. Shift-drag to select a time range; the table then covers only that range.</source>
      <translation>Ein Ereignis auswählen, um seine Details zu sehen. Bei gedrückter Umschalttaste ziehen, um einen Zeitbereich auszuwählen; die Tabelle umfasst dann nur diesen Bereich.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Use of ONNX Runtime</source>
      <translation>Nutzung von ONNX Runtime</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Compare with another recording…</source>
      <translation>Mit einer anderen Aufzeichnung vergleichen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Show the graph</source>
      <translation>Graph zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Close the comparison</source>
      <translation>Vergleich schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Trace</source>
      <translation>Trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Event {place:,} of {count:,}</source>
      <translation>Ereignis {place:,} von {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>Gap {place:,} of {count:,}</source>
      <translation>Lücke {place:,} von {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>The timeline shows {most} of {most_2:,} tracks; the table includes all.</source>
      <translation>Die Zeitleiste zeigt {most} von {most_2:,} Spuren; die Tabelle enthält alle.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>The timeline shows up to {deepest} levels per track; the table includes all.</source>
      <translation>Die Zeitleiste zeigt bis zu {deepest} Ebenen pro Spur; die Tabelle enthält alle.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/tab.py"></location>
      <source>And {rest}.</source>
      <translation>Und {rest}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/trace_export.py"></location>
      <source>Export trace</source>
      <translation>Trace exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/trace_export.py"></location>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Timeline</source>
      <translation>Zeitleiste</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/traced_graph.py"></location>
      <source>Close the graph</source>
      <translation>Graph schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/traced_graph.py"></location>
      <source>Layers without a time were not executed on their own: fused or removed.</source>
      <translation>Schichten ohne Zeit wurden nicht einzeln ausgeführt: verschmolzen oder entfernt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/trace/traced_graph.py"></location>
      <source>Graph of {name}</source>
      <translation>Graph von {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/heat_map.py"></location>
      <source>Heat map of the slice</source>
      <translation>Heatmap des Schnitts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/heat_map.py"></location>
      <source>{rows} rows, {columns} columns, from {low:.4g} to {top:.4g}</source>
      <translation>{rows} Zeilen, {columns} Spalten, von {low:.4g} bis {top:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>Rows</source>
      <translation>Zeilen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>Columns</source>
      <translation>Spalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>1 of every {down} rows</source>
      <translation>1 von je {down} Zeilen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>1 of every {across} columns</source>
      <translation>1 von je {across} Spalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>Showing {skipped}.</source>
      <translation>Angezeigt: {skipped}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>Axis {axis}</source>
      <translation>Achse {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>axis {axis}</source>
      <translation>Achse {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>{text} of the slice</source>
      <translation>{text} des Schnitts</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>Index on axis {axis}</source>
      <translation>Index auf Achse {axis}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/slice_picker.py"></location>
      <source>0 to {length:,}</source>
      <translation>0 bis {length:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>Duplicate tensors</source>
      <translation>Doppelte Tensoren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Tensors</source>
      <translation>Tensoren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>{problems:,} unreadable</source>
      <translation>{problems:,} nicht lesbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>all weights, no constants</source>
      <translation>alles Gewichte, keine Konstanten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>no tensors in this model</source>
      <translation>keine Tensoren in diesem Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>all in the model file</source>
      <translation>alle in der Modelldatei</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>no readable tensors</source>
      <translation>keine lesbaren Tensoren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source> and {count:,} more</source>
      <translation> und {count:,} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source> next to the model</source>
      <translation> neben dem Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>load all tensors to find duplicates</source>
      <translation>alle Tensoren laden, um doppelte zu finden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>{size} of identical values</source>
      <translation>{size} identischer Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>all tensors are distinct</source>
      <translation>alle Tensoren sind verschieden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>{name} contains no tensors.</source>
      <translation>{name} enthält keine Tensoren.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/tab.py"></location>
      <source>Listing the tensors…</source>
      <translation>Tensoren werden aufgelistet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>All slices</source>
      <translation>Alle Schnitte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Scales</source>
      <translation>Skalen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>As stored</source>
      <translation>Wie gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Real values</source>
      <translation>Reale Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Values of {name} — Inspector</source>
      <translation>Werte von {name} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>View of the values</source>
      <translation>Ansicht der Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Values to show</source>
      <translation>Anzuzeigende Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Reading…</source>
      <translation>Wird gelesen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Copy the selected cells, or the whole slice</source>
      <translation>Die ausgewählten Zellen oder den ganzen Schnitt kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Save as CSV…</source>
      <translation>Als CSV speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Scales and zero points</source>
      <translation>Skalen und Nullpunkte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Save as CSV</source>
      <translation>Als CSV speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Scale</source>
      <translation>Skala</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Zero point</source>
      <translation>Nullpunkt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>scales {low:.4g} to {high:.4g}</source>
      <translation>Skalen {low:.4g} bis {high:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>scale {low:.4g}</source>
      <translation>Skala {low:.4g}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>real value = scale × (stored − zero point)</source>
      <translation>realer Wert = Skala × (gespeichert − Nullpunkt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>real value = scale × the number that the stored code stands for</source>
      <translation>reeller Wert = Skala × Zahl, für die der gespeicherte Code steht</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>real value = scale × stored</source>
      <translation>reeller Wert = Skala × gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Heat maps of all slices</source>
      <translation>Heatmaps aller Schnitte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>{shown:,} slices on one scale</source>
      <translation>{shown:,} Schnitte auf einer Skala</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>the first {shown:,} of {every:,} slices on one scale</source>
      <translation>die ersten {shown:,} von {every:,} Schnitten auf einer Skala</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Row, column</source>
      <translation>Zeile, Spalte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/values_dialog.py"></location>
      <source>Slice</source>
      <translation>Schnitt</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Not used by any layer</source>
      <translation>Von keiner Schicht verwendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show this layer</source>
      <translation>Diese Schicht anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Select layer {label}</source>
      <translation>Schicht {label} auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Selected tensor</source>
      <translation>Ausgewählter Tensor</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Select a tensor to see its statistics and values.</source>
      <translation>Einen Tensor auswählen, um Statistik und Werte zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>After loading</source>
      <translation>Nach dem Laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>First values</source>
      <translation>Erste Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Loading the tensor</source>
      <translation>Tensor wird geladen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Load {size}</source>
      <translation>{size} laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Not loaded yet: opening a model does not load its weights.</source>
      <translation>Noch nicht geladen: Beim Öffnen eines Modells werden seine Gewichte nicht geladen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Identical to {names}{more}.</source>
      <translation>Identisch mit {names}{more}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_detail.py"></location>
      <source>Saved {name} to {parent}</source>
      <translation>{name} in {parent} gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Distinct values</source>
      <translation>Versch. Werte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>sparse initializer</source>
      <translation>dünn besetzter Initializer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Constant node</source>
      <translation>Constant-Knoten</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>, {share} of all weights</source>
      <translation>, {share} aller Gewichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Elements</source>
      <translation>Elemente</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Location</source>
      <translation>Ort</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Stored</source>
      <translation>Gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>{stored:,} non-zero values (sparse)</source>
      <translation>{stored:,} Werte ungleich null (dünn besetzt)</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Stored in ONNX field</source>
      <translation>Gespeichert im ONNX-Feld</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Origin</source>
      <translation>Herkunft</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Description</source>
      <translation>Beschreibung</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Stored as</source>
      <translation>Gespeichert als</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Saves</source>
      <translation>Spart</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>{share} than {size}</source>
      <translation>{share} gegenüber {size}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>{saving}: {size} in that form</source>
      <translation>{saving}: {size} in dieser Form</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Saving</source>
      <translation>Ersparnis</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>more than {most_distinct:,}</source>
      <translation>mehr als {most_distinct:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Empty</source>
      <translation>Leer</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Contains NaN or infinite values, so outputs may become NaN.</source>
      <translation>Enthält NaN oder unendliche Werte; Ausgaben können daher NaN werden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Text values.</source>
      <translation>Werte sind Text.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>All values are finite.</source>
      <translation>Alle Werte sind endlich.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>{count:,} subnormal values, which make some CPUs slow: measure with “Flush subnormals to zero”.</source>
      <translation>{count:,} subnormale Werte, die manche CPUs bremsen: mit „Subnormale Zahlen durch null ersetzen“ messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>All values are equal.</source>
      <translation>Alle Werte sind gleich.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_facts.py"></location>
      <source>Few distinct values: a palette would store them in {size} per element instead of {bits}.</source>
      <translation>Wenige verschiedene Werte: Eine Palette würde sie in {size} statt {bits} pro Element speichern.</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Filter by name, type or file</source>
      <translation>Nach Name, Typ oder Datei filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Filter weights</source>
      <translation>Gewichte filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Load all</source>
      <translation>Alle laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Loading all tensors</source>
      <translation>Alle Tensoren werden geladen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>Statistics loaded for {read:,} of {every:,} tensors</source>
      <translation>Statistik für {read:,} von {every:,} Tensoren geladen</translation>
    </message>
    <message>
      <location filename="inspector/ui/tabs/weights/weight_list.py"></location>
      <source>{text} · {refused:,} unreadable</source>
      <translation>{text} · {refused:,} nicht lesbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py"></location>
      <source>kind of event</source>
      <translation>Art des Ereignisses</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py"></location>
      <source>Unnamed model</source>
      <translation>Modell ohne Namen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py"></location>
      <source>Unnamed thread</source>
      <translation>Thread ohne Namen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/geometry.py"></location>
      <source>counter
{process}
{name}</source>
      <translation>Zähler
{process}
{name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>Median of {run_count}</source>
      <translation>Median über {run_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>{plain:,} not profiled</source>
      <translation>{plain:,} nicht profiliert</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>, excluding {left_out}</source>
      <translation>, ohne {left_out}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>{profiled} with the profiler, {plain} without</source>
      <translation>{profiled} mit Profiler, {plain} ohne</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>p25 to p75</source>
      <translation>p25 bis p75</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>Min to max</source>
      <translation>Min bis Max</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>Median start</source>
      <translation>Medianer Beginn</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>{seen:,} of {runs:,}</source>
      <translation>{seen:,} von {runs:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/median_overlay.py"></location>
      <source>{duration} to {duration_2}</source>
      <translation>{duration} bis {duration_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>first {warm} runs</source>
      <translation>erste {warm} Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>later runs were</source>
      <translation>spätere Läufe wurden</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>the next one was</source>
      <translation>der nächste wurde</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>the next {count:,} were</source>
      <translation>die nächsten {count:,} wurden</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/predictions.py"></location>
      <source>Profiling stopped after run {after:,}; {which} timed without the profiler</source>
      <translation>Profilierung endete nach Lauf {after:,}; {which} ohne den Profiler gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>No event selected; press [ or ] to step through events</source>
      <translation>Kein Ereignis ausgewählt; mit [ oder ] durch die Ereignisse gehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Runtime call</source>
      <translation>Aufruf der Laufzeitumgebung</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Cast</source>
      <translation>Typumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Layout conversion</source>
      <translation>Layoutumwandlung</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Kernel</source>
      <translation>Kernel</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Partition</source>
      <translation>Partition</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Device wait and copy</source>
      <translation>Warten auf das Gerät und Kopie</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Median of the layer</source>
      <translation>Median der Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Kind</source>
      <translation>Art</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Copied</source>
      <translation>Kopiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/span_facts.py"></location>
      <source>Overlaps</source>
      <translation>Überlappt</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py"></location>
      <source>{name}: {count:,} events</source>
      <translation>{name}: {count:,} Ereignisse</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py"></location>
      <source>{many}, indexing</source>
      <translation>{many}, Index wird erstellt</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/model/trace_indexing.py"></location>
      <source>{many}; analyzing</source>
      <translation>{many}; wird analysiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/render/canvas.py"></location>
      <source>idle for {duration}</source>
      <translation>{duration} lang untätig</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/render/time_axis.py"></location>
      <source>Time axis</source>
      <translation>Zeitachse</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Pinned rows of the timeline</source>
      <translation>Angeheftete Zeilen der Zeitleiste</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Sorting {count:,} events…</source>
      <translation>{count:,} Ereignisse werden sortiert …</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Computing the median run…</source>
      <translation>Medianer Lauf wird berechnet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Group by lane</source>
      <translation>Nach Bahn gruppieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Lanes: calls, data preparation, and computation</source>
      <translation>Bahnen: Aufrufe, Datenvorbereitung und Berechnung</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>All runs</source>
      <translation>Alle Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Median run</source>
      <translation>Medianer Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Runs shown</source>
      <translation>Angezeigte Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Zoom out (S or Ctrl+wheel)</source>
      <translation>Verkleinern (S oder Strg+Mausrad)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Zoom in (W or Ctrl+wheel)</source>
      <translation>Vergrößern (W oder Strg+Mausrad)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Zoom to the full trace (F)</source>
      <translation>Den ganzen Trace anzeigen (F)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>By event type</source>
      <translation>Nach Ereignistyp</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Median times of all runs</source>
      <translation>Mediane Zeiten aller Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Runs, memory, load and power</source>
      <translation>Läufe, Speicher, Last und Leistung</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Devices only</source>
      <translation>Nur Geräte</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Collapse all</source>
      <translation>Alle einklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Expand all</source>
      <translation>Alle ausklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>by event</source>
      <translation>nach Ereignis</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>by {value}</source>
      <translation>nach {value}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Group {by}</source>
      <translation>{by} gruppieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>Counting…</source>
      <translation>Wird gezählt …</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>No events were recorded</source>
      <translation>Keine Ereignisse aufgezeichnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/card.py"></location>
      <source>{part} of {whole}</source>
      <translation>{part} von {whole}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Max in visible range</source>
      <translation>Max im sichtbaren Bereich</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Busy in visible range</source>
      <translation>Ausgelastet im sichtbaren Bereich</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>At</source>
      <translation>Bei</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Idle for {duration}</source>
      <translation>Untätig seit {duration}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Zoom to this layer</source>
      <translation>Darauf zoomen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Collapse</source>
      <translation>Einklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Pin to top</source>
      <translation>Oben anheften</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>Unpin</source>
      <translation>Lösen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>A heading cannot be pinned; pin its lanes</source>
      <translation>Eine Überschrift kann nicht angeheftet werden; stattdessen ihre Bahnen anheften</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/lanes.py"></location>
      <source>, collapsed</source>
      <translation>, eingeklappt</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/overview_strip.py"></location>
      <source>Full trace</source>
      <translation>Ganzer Trace</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/overview_strip.py"></location>
      <source>Not profiled</source>
      <translation>Nicht profiliert</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>{model}: {text} (warm-up)</source>
      <translation>{model}: {text} (Aufwärmen)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>{text} (warm-up)</source>
      <translation>{text} (Aufwärmen)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>slower than later runs</source>
      <translation>langsamer als spätere Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>Run {at:,} of {count:,}</source>
      <translation>Lauf {at:,} von {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/prediction_ruler.py"></location>
      <source>{at:,} warm-up</source>
      <translation>{at:,} Aufwärmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>{duration} selected</source>
      <translation>{duration} ausgewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>Selected time range</source>
      <translation>Ausgewählter Zeitbereich</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>Busy time by lane, % of selection</source>
      <translation>Belegte Zeit nach Bahn, % der Auswahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>Time by layer, % of selection</source>
      <translation>Zeit nach Schicht, % der Auswahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/range_summary.py"></location>
      <source>Total time</source>
      <translation>Gesamtzeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>conv copy: events whose name, operator or layer contains these words</source>
      <translation>conv copy: Ereignisse, deren Name, Operator oder Schicht diese Wörter enthält</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>/^Run|copy$/: a regular expression; -idle: events without it</source>
      <translation>/^Run|copy$/: ein regulärer Ausdruck; -idle: Ereignisse ohne das Wort</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>dur&gt;1ms, start&lt;2s, size&gt;=64KiB, run=3: duration, start, copied bytes, run</source>
      <translation>dur&gt;1ms, start&lt;2s, size&gt;=64KiB, run=3: Dauer, Beginn, kopierte Bytes, Lauf</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>name:, op:, layer:, track:, thread:, process:, model:, kind:, lane:, such as kind:copy</source>
      <translation>name:, op:, layer:, track:, thread:, process:, model:, kind:, lane:, wie kind:copy</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Find an event, operator or layer</source>
      <translation>Ereignis, Operator oder Schicht suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Find</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Find in the timeline</source>
      <translation>In der Zeitleiste suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Previous match (Shift+Enter)</source>
      <translation>Vorheriger Treffer (Umschalt+Eingabe)</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Searching…</source>
      <translation>Suche läuft …</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>Invalid search</source>
      <translation>Ungültige Suche</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>No matches</source>
      <translation>Keine Treffer</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>match</source>
      <translation>Treffer</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>matches</source>
      <translation>Treffer</translation>
    </message>
    <message>
      <location filename="inspector/ui/timeline/widget/search_bar.py"></location>
      <source>{number:,} of {count:,}</source>
      <translation>{number:,} von {count:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>{text}…</source>
      <translation>{text} …</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>up to {high}</source>
      <translation>bis {high}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>about {time} left</source>
      <translation>noch etwa {time}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>up to {time} left</source>
      <translation>noch höchstens {time}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>{day} {month}</source>
      <translation>{day}. {month}</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>Today</source>
      <translation>Heute</translation>
    </message>
    <message>
      <location filename="inspector/ui/translate.py"></location>
      <source>Yesterday</source>
      <translation>Gestern</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Metrics</source>
      <translation>Kennzahlen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Compare measurements — Inspector</source>
      <translation>Messungen vergleichen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Baseline</source>
      <translation>Basis</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Comparison page</source>
      <translation>Vergleichsseite</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>baseline</source>
      <translation>Basis</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>And {warning_count}</source>
      <translation>Und {warning_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Different settings</source>
      <translation>Verschiedene Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Same settings</source>
      <translation>Gleiche Einstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Compute types of report {letters} and report {letters_2}</source>
      <translation>Rechentypen von Bericht {letters} und Bericht {letters_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>No layer has a compute type in both reports. Measure both models again to record their compute types.</source>
      <translation>Keine Schicht hat in beiden Berichten einen Rechentyp. Beide Modelle erneut messen, um ihre Rechentypen aufzuzeichnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Comparison</source>
      <translation>Vergleich</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Slower</source>
      <translation>Langsamer</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Faster</source>
      <translation>Schneller</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Different device</source>
      <translation>Anderes Gerät</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Layers shown</source>
      <translation>Angezeigte Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/comparison/view.py"></location>
      <source>Layers side by side</source>
      <translation>Schichten im Vergleich</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>History — Inspector</source>
      <translation>Verlauf — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Reports</source>
      <translation>Berichte</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>No reports yet. Measure a model, or add a folder with reports.</source>
      <translation>Noch keine Berichte. Ein Modell messen oder einen Ordner mit Berichten hinzufügen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>All models</source>
      <translation>Alle Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Filter by any value, such as #baseline</source>
      <translation>Nach beliebigem Wert filtern, z. B. #baseline</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Filter reports</source>
      <translation>Berichte filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Value to plot as the trend</source>
      <translation>Als Trend gezeichneter Wert</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Trend</source>
      <translation>Trend</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Add folder…</source>
      <translation>Ordner hinzufügen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Tags and note…</source>
      <translation>Tags und Notiz …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Remove…</source>
      <translation>Entfernen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Select two or more reports to compare them</source>
      <translation>Mindestens zwei Berichte auswählen, um sie zu vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>List the reports in a folder, such as CI job artifacts. The files stay where they are.</source>
      <translation>Die Berichte in einem Ordner auflisten, etwa Artefakte von CI-Jobs. Die Dateien bleiben, wo sie sind.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Reading reports…</source>
      <translation>Berichte werden gelesen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Reading reports: {done:,} of {of:,}</source>
      <translation>Berichte werden gelesen: {done:,} von {of:,}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>{shown} of {text}</source>
      <translation>{shown} von {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>{text}, {count} selected</source>
      <translation>{text}, {count} ausgewählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Too few reports to find changes</source>
      <translation>Zu wenige Berichte, um Änderungen zu finden</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>No change found</source>
      <translation>Keine Änderung gefunden</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>{reports} will be deleted from the library. This cannot be undone.</source>
      <translation>{reports} aus der Bibliothek löschen. Das kann nicht rückgängig gemacht werden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>{reports} in added folders will no longer be listed; the files stay.</source>
      <translation>{reports} in hinzugefügten Ordnern nicht mehr auflisten; die Dateien bleiben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Remove reports — Inspector</source>
      <translation>Berichte entfernen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Add a folder of reports</source>
      <translation>Ordner mit Berichten hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>CSV (*.csv)</source>
      <translation>CSV (*.csv)</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Export the listed reports</source>
      <translation>Die aufgelisteten Berichte exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Tags and note — Inspector</source>
      <translation>Tags und Notiz — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Tags</source>
      <translation>Tags</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Separate tags with commas</source>
      <translation>Tags durch Kommas trennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/history/view.py"></location>
      <source>Note</source>
      <translation>Notiz</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <source>it is not connected to the hub</source>
      <translation>er ist nicht mit dem Hub verbunden</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>Idle</source>
      <translation>Bereit</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <source>Another device on {name}</source>
      <translation>Anderes Gerät auf {name}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/places.py"></location>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>load {load}</source>
      <translation>Last {load}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Some layers not supported</source>
      <translation>Einige Schichten nicht unterstützt</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Unreachable</source>
      <translation>Nicht erreichbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Queued</source>
      <translation>Eingereiht</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Failed</source>
      <translation>Fehlgeschlagen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Refused</source>
      <translation>Abgelehnt</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Lost</source>
      <translation>Verloren</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>Not measured</source>
      <translation>Nicht gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Too few runs</source>
      <translation>Zu wenige Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>fastest</source>
      <translation>am schnellsten</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>lowest</source>
      <translation>am niedrigsten</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>not clearly slower</source>
      <translation>nicht eindeutig langsamer</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>{count} layers</source>
      <translation>{count} Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <source>behind {what}</source>
      <translation>nach {what}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Machines</source>
      <translation>Rechner</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Models on machines</source>
      <translation>Modelle auf Rechnern</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/table.py"></location>
      <location filename="inspector/ui/widgets/table.py"></location>
      <source>Select all</source>
      <translation>Alle auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/upload_question.py"></location>
      <source>Upload to {service}?</source>
      <translation>Zu {service} hochladen?</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/upload_question.py"></location>
      <source>Upload</source>
      <translation>Hochladen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/upload_question.py"></location>
      <source>Upload — Inspector</source>
      <translation>Hochladen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Models on machines — Inspector</source>
      <translation>Modelle auf Rechnern — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Value shown in cells</source>
      <translation>In den Zellen angezeigter Wert</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Add machine…</source>
      <translation>Rechner hinzufügen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Open models in the main window to measure them here.</source>
      <translation>Modelle im Hauptfenster öffnen, um sie hier zu messen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Choose at least one model and one machine on the left.</source>
      <translation>Links mindestens ein Modell und einen Rechner auswählen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>{done:,} of {every:,} measured</source>
      <translation>{done:,} von {every:,} gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measure {cells}</source>
      <translation>{cells} messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measure all again</source>
      <translation>Alle erneut messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>, {count} queued</source>
      <translation>, {count} eingereiht</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Unreachable {why}</source>
      <translation>Nicht erreichbar {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>behind another measurement</source>
      <translation>hinter einer anderen Messung</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Queued {behind}</source>
      <translation>Eingereiht {behind}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measuring {name}</source>
      <translation>{name} wird gemessen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>{count} lost: {why}</source>
      <translation>{count} verloren: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Done</source>
      <translation>Fertig</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Open models</source>
      <translation>Geöffnete Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Machines and models to measure</source>
      <translation>Zu messende Rechner und Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Bars: logarithmic scale</source>
      <translation>Balken: logarithmische Skala</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measure with layer times</source>
      <translation>Mit Schichtzeiten messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>Measure this model on this machine and show the report in the model's Performance tab</source>
      <translation>Dieses Modell auf diesem Rechner messen und den Bericht unter „Leistung“ des Modells anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>{model} on {place}</source>
      <translation>{model} auf {place}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>95% CI {limits}</source>
      <translation>95%-KI {limits}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>no interval: too few runs</source>
      <translation>kein Intervall: zu wenige Läufe</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>of the model</source>
      <translation>des Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>median</source>
      <translation>Median</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>all of them</source>
      <translation>alle</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/view.py"></location>
      <source>{count:,} not supported</source>
      <translation>{count:,} nicht unterstützt</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>{count} cores</source>
      <translation>{count} Kerne</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Connecting…</source>
      <translation>Verbindung wird hergestellt …</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>Unreachable since {time}: {why}</source>
      <translation>Nicht erreichbar seit {time}: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>Unreachable: {why}</source>
      <translation>Nicht erreichbar: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>Busy: {what}</source>
      <translation>Beschäftigt: {what}</translation>
    </message>
    <message>
      <location filename="inspector/ui/views/machines/words.py"></location>
      <source>State</source>
      <translation>Zustand</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/chart.py"></location>
      <source>Time of each run</source>
      <translation>Zeit jedes Laufs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with all optimizations</source>
      <translation>measure again with all optimizations</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with “Optimization” set to “Extended”</source>
      <translation>erneut messen mit „Optimierung“ auf „Erweitert“</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with “I/O binding” set to “Inputs and outputs”; in your program, use IoBinding</source>
      <translation>measure again with “I/O-Bindung” set to “Eingaben und Ausgaben”; in your program, use IoBinding</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with “Load from” set to “File”, and compare the memory</source>
      <translation>measure again with “Laden aus” set to “Datei”, and compare the memory</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with “Load from” set to “Re-serialized copy”</source>
      <translation>measure again with “Laden aus” set to “Neu serialisierte Kopie”</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again with</source>
      <translation>measure again with</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure again and compare the two reports</source>
      <translation>measure again and compare the two reports</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Remove them from “Forced to CPU” in the settings</source>
      <translation>Remove them from “Auf der CPU erzwungen” in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Set other sizes for dynamic axes, or other input values, in Preview</source>
      <translation>Set other sizes for dynamic axes, or other input values, in “Vorschau”</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>choose the library that provides it</source>
      <translation>choose the library that provides it</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source> in Preview</source>
      <translation> in “Vorschau”</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>different values or different sizes of dynamic axes</source>
      <translation>different values or different sizes of dynamic axes</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>“Check” in Overview shows</source>
      <translation>„Prüfen“ in der Übersicht zeigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Overview lists the names</source>
      <translation>“Übersicht” lists the names</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>; set a different one next to the inputs.</source>
      <translation>; set a different one next to the inputs.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Set the sizes of the dynamic axes in the settings</source>
      <translation>Set the sizes of the dynamic axes in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source> (“Processes” in the Performance settings)</source>
      <translation> (“Prozesse” in the settings of “Leistung”)</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Choose a device in the settings</source>
      <translation>Choose a device in the settings</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>make the change in Improve, which measures both models</source>
      <translation>die Änderung in „Verbessern“ vornehmen, das beide Modelle misst</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>measure both models and compare the reports</source>
      <translation>beide Modelle messen und die Berichte vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>“Repair…” in Overview saves a copy that other runtimes load.</source>
      <translation>„Reparieren …“ in der Übersicht speichert eine Kopie, die andere Laufzeitumgebungen laden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>“Repair…” in Overview</source>
      <translation>„Reparieren…“ im Überblick</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source> “Record layers of the next … runs”, while the program runs, profiles later ones.</source>
      <translation> „Schichten aufzeichnen der nächsten … Läufe“ profiliert spätere, während das Programm läuft.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>“Sweep” in Performance, with several batch sizes,</source>
      <translation>„Messreihe“ in Leistung mit mehreren Batchgrößen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Install it</source>
      <translation>Installieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>or choose OpenVINO CPU as the device</source>
      <translation>oder OpenVINO CPU als Gerät wählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>Add “\1” first</source>
      <translation>Zuerst „\1“ hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>“Record program”</source>
      <translation>„Programm aufzeichnen“</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/command_hints.py"></location>
      <source>The Performance settings list them</source>
      <translation>The settings of “Leistung” list them</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Compare models…</source>
      <translation>Modelle vergleichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Graphs, weights and metadata of two models, side by side</source>
      <translation>Graphen, Gewichte und Metadaten zweier Modelle nebeneinander</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Compare measurements…</source>
      <translation>Messungen vergleichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Measured latency of two open reports, in total and layer by layer</source>
      <translation>Gemessene Latenz zweier geöffneter Berichte, insgesamt und Schicht für Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Compare outputs…</source>
      <translation>Ausgaben vergleichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Outputs for the same input with another device, model or setting</source>
      <translation>Ausgaben für dieselbe Eingabe mit anderem Gerät, Modell oder anderer Einstellung</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Compare layers…</source>
      <translation>Schichten vergleichen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Output of every layer, to find the first one that differs between two runs</source>
      <translation>Ausgabe jeder Schicht, um die erste zu finden, die zwischen zwei Läufen abweicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/comparison_links.py"></location>
      <source>Compare instead:</source>
      <translation>Stattdessen vergleichen:</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Latency per run…</source>
      <translation>Latenz je Lauf …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Latency distribution…</source>
      <translation>Verteilung der Latenz …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Slowest layers…</source>
      <translation>Langsamste Schichten …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Timeline…</source>
      <translation>Zeitleiste …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Load phases…</source>
      <translation>Ladephasen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Memory…</source>
      <translation>Speicher …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Latency of concurrent runs…</source>
      <translation>Latenz gleichzeitiger Läufe …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Roofline…</source>
      <translation>Roofline …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Heat map…</source>
      <translation>Heatmap …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Line chart…</source>
      <translation>Liniendiagramm …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Latency by model size…</source>
      <translation>Latenz nach Modellgröße …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Latency and memory by machine…</source>
      <translation>Latenz und Speicher nach Rechner …</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/export_forms.py"></location>
      <source>Chrome trace of the visible range</source>
      <translation>Chrome-Trace des sichtbaren Bereichs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/failure.py"></location>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <source>Close this message</source>
      <translation>Diese Meldung schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <source>{count} of {tried} files could not be opened</source>
      <translation>{count} von {tried} Dateien konnten nicht geöffnet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <source>Could not open the folder of {name}</source>
      <translation>Der Ordner von {name} konnte nicht geöffnet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <source>No file manager was found. The file is in {folder}.</source>
      <translation>Kein Dateimanager gefunden. Die Datei liegt in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Could not open {name}</source>
      <translation>{name} konnte nicht geöffnet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/notice.py"></location>
      <source>No program for it was found. The file is in {folder}.</source>
      <translation>Dafür wurde kein Programm gefunden. Die Datei liegt in {folder}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_table.py"></location>
      <source>No rows match the filter.</source>
      <translation>Keine Zeile passt zum Filter.</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_table.py"></location>
      <location filename="inspector/ui/widgets/table.py"></location>
      <source>Column titles</source>
      <translation>Spaltentitel</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_view.py"></location>
      <source>{label}: {text}</source>
      <translation>{label}: {text}</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_view.py"></location>
      <source>Show the full text of {key}</source>
      <translation>Den vollständigen Text von {key} anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_view.py"></location>
      <source>
… {rest:,} more characters</source>
      <translation>
… {rest:,} weitere Zeichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/page_view.py"></location>
      <source>Full text</source>
      <translation>Vollständiger Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/parts.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Tabs</source>
      <translation>Tabs</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/support_legend.py"></location>
      <source>Markers</source>
      <translation>Markierungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table.py"></location>
      <source>Row titles</source>
      <translation>Zeilentitel</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>conv relu: layers that contain all of these words; -relu: layers without it</source>
      <translation>conv relu: Schichten, die alle diese Wörter enthalten; -relu: Schichten ohne dieses Wort</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>op:Conv, name:head*, type:float16: operator, name, type; * is any text</source>
      <translation>op:Conv, name:head*, type:float16: Operator, Name, Typ; * ist beliebiger Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>1x*x122x122: shape of an output or a weight; ... is any number of axes</source>
      <translation>1x*x122x122: Form einer Ausgabe oder eines Gewichts; ... ist eine beliebige Zahl von Achsen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>conv 3x3: convolutions with a kernel of that size</source>
      <translation>conv 3x3: Faltungen mit einem Kernel dieser Größe</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>group=32: an attribute; also !=, &lt;, &lt;=, &gt; and &gt;=</source>
      <translation>group=32: ein Attribut; auch !=, &lt;, &lt;=, &gt; und &gt;=</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>/conv[0-9]+$/: a regular expression</source>
      <translation>/conv[0-9]+$/: ein regulärer Ausdruck</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>MatMul -&gt; * -&gt; Softmax: layers in a row; * is any one layer, ... any number of them</source>
      <translation>MatMul -&gt; * -&gt; Softmax: aufeinanderfolgende Schichten; * ist eine beliebige Schicht, ... beliebig viele</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Filter to {operator}</source>
      <translation>Nach {operator} filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Search</source>
      <translation>Suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Show only the first {first}</source>
      <translation>Nur die ersten {first} anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Show all {total:,} {noun}</source>
      <translation>Alle {total:,} {noun} anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>Show {step} more of {total:,} {noun}</source>
      <translation>{step} weitere von {total:,} {noun} anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/widgets/table_card.py"></location>
      <source>{shown:,} of {every}</source>
      <translation>{shown:,} von {every}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Commands</source>
      <translation>Befehle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <source>Find a command, layer, model, setting or help page</source>
      <translation>Befehl, Schicht, Modell, Einstellung oder Hilfeseite suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Matches</source>
      <translation>Treffer</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>On this page</source>
      <translation>Auf dieser Seite</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Open item</source>
      <translation>Geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Recent file</source>
      <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Sample model</source>
      <translation>Beispielmodell</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Measurement setting</source>
      <translation>Messeinstellung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Preference</source>
      <translation>Einstellung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Glossary</source>
      <translation>Glossar</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Find all {layers} in the graph</source>
      <translation>Alle {layers} im Graphen suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/command_palette.py"></location>
      <source>Guide</source>
      <translation>Handbuch</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>An answer is being generated; wait or stop it</source>
      <translation>Eine Antwort wird erzeugt; warten oder stoppen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <source>Nothing has been said yet</source>
      <translation>Noch wurde nichts gesagt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/chat.py"></location>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Begin a new chat</source>
      <translation>Neue Unterhaltung beginnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/compare.py"></location>
      <source>Compare recordings…</source>
      <translation>Aufzeichnungen vergleichen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/compare.py"></location>
      <source>Layer latencies in another format…</source>
      <translation>Latenzen der Schichten in einem anderen Format…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/compare.py"></location>
      <source>Compare the outputs and latency of each layer with another format's model</source>
      <translation>Ausgaben und Latenz jeder Schicht mit dem Modell eines anderen Formats vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>This model does not generate text</source>
      <translation>Dieses Modell erzeugt keinen Text</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>Nothing is open</source>
      <translation>Nichts ist geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>A link leads to one model; `inspector diff` compares two</source>
      <translation>Ein Link führt zu einem Modell; `inspector diff` vergleicht zwei</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>What is shown is in no file. Save it.</source>
      <translation>Was gezeigt wird, ist in keiner Datei. Speichern Sie es.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>No model is open</source>
      <translation>Kein Modell ist geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>No trace is shown</source>
      <translation>Es wird kein Trace gezeigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>The plugin for code is not installed</source>
      <translation>Das Plugin für Code ist nicht installiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>It does not load</source>
      <translation>Es lässt sich nicht laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>Nothing is running</source>
      <translation>Nichts läuft</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>The model has no edits that are not saved</source>
      <translation>Das Modell hat keine ungespeicherten Änderungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>No report is shown. Measure the model, or open a report.</source>
      <translation>Kein Bericht wird angezeigt. Das Modell messen oder einen Bericht öffnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>The model has no edits, and no report is shown</source>
      <translation>Das Modell hat keine Änderungen, und es wird kein Bericht angezeigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>No sweep is shown. Start one in the Performance tab.</source>
      <translation>Keine Messreihe wird angezeigt. Eine unter „Leistung“ starten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>Needs two open reports. Measure again, or open another.</source>
      <translation>Erfordert zwei geöffnete Berichte. Erneut messen oder einen weiteren öffnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>The model of this report is not open</source>
      <translation>Das Modell dieses Berichts ist nicht geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>Nothing has been closed yet</source>
      <translation>Es wurde noch nichts geschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/conditions.py"></location>
      <source>There is no previous session</source>
      <translation>Es gibt keine vorherige Sitzung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>User guide</source>
      <translation>Benutzerhandbuch</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <source>Explain the current page, or the term under the pointer</source>
      <translation>Die aktuelle Seite oder den Begriff unter dem Mauszeiger erklären</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <source>Find anything…</source>
      <translation>Alles suchen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Keyboard shortcuts</source>
      <translation>Tastenkürzel</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <source>Show this list</source>
      <translation>Diese Liste anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/explain.py"></location>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>About Inspector</source>
      <translation>Über Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Open a model, report or trace</source>
      <translation>Ein Modell, einen Bericht oder einen Trace öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>No recent files</source>
      <translation>Keine zuletzt geöffneten Dateien</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>not exported</source>
      <translation>nicht exportiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>No reports: each measurement is kept here after its model is closed</source>
      <translation>Keine Berichte: Jede Messung bleibt hier, nachdem ihr Modell geschlossen wurde</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open recent</source>
      <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open from library</source>
      <translation>Aus der Bibliothek öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Report history…</source>
      <translation>Verlauf der Berichte …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Show the report history</source>
      <translation>Verlauf der Berichte anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open URL…</source>
      <translation>URL öffnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open path from clipboard</source>
      <translation>Pfad aus der Zwischenablage öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Open the path on the clipboard</source>
      <translation>Den Pfad in der Zwischenablage öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Record a program</source>
      <translation>Ein Programm aufzeichnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Record program…</source>
      <translation>Programm aufzeichnen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Save…</source>
      <translation>Speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Save a copy with the edits; without edits, save the report as JSON</source>
      <translation>Eine Kopie mit den Änderungen speichern; ohne Änderungen den Bericht als JSON</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Export plot</source>
      <translation>Diagramm exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Save whole graph…</source>
      <translation>Ganzen Graphen speichern …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Save the graph with every layer, also those in collapsed scopes, as SVG or PNG</source>
      <translation>Den Graphen mit jeder Schicht, auch in eingeklappten Abschnitten, als SVG oder PNG speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Include image of Preview</source>
      <translation>Bild der Vorschau aufnehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Exported reports contain the image in Preview</source>
      <translation>Exportierte Berichte enthalten das Bild der Vorschau</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Results of Improve…</source>
      <translation>Ergebnisse von „Verbessern“ …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Reload</source>
      <translation>Neu laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Reload the file</source>
      <translation>Die Datei neu laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Close the current report, model or trace</source>
      <translation>Bericht, Modell oder Trace schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Close all</source>
      <translation>Alle schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Reopen last closed</source>
      <translation>Zuletzt Geschlossenes öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Reopen the last closed item</source>
      <translation>Das zuletzt Geschlossene wieder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Restore previous session</source>
      <translation>Vorherige Sitzung wiederherstellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Restore session at startup</source>
      <translation>Sitzung beim Start wiederherstellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Preferences</source>
      <translation>Programmeinstellungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Preferences…</source>
      <translation>Programmeinstellungen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/file.py"></location>
      <source>Quit</source>
      <translation>Beenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/listing.py"></location>
      <source>&amp;File</source>
      <translation>&amp;Datei</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/listing.py"></location>
      <source>&amp;View</source>
      <translation>&amp;Ansicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/listing.py"></location>
      <source>&amp;Model</source>
      <translation>&amp;Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/listing.py"></location>
      <source>&amp;Help</source>
      <translation>&amp;Hilfe</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Nothing to undo here</source>
      <translation>Hier gibt es nichts zurückzunehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Nothing was undone here</source>
      <translation>Hier wurde nichts zurückgenommen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Undo the last change in this tab</source>
      <translation>Die letzte Änderung in diesem Tab zurücknehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Redo the last change that was undone in this tab</source>
      <translation>Die zuletzt zurückgenommene Änderung in diesem Tab wiederholen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Change the graph</source>
      <translation>Den Graphen ändern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Edit graph</source>
      <translation>Graph bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Save the edited model</source>
      <translation>Das bearbeitete Modell speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Test case of a part…</source>
      <translation>Testfall eines Teils…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Save what a part of the model gets and gives, such as an extracted one</source>
      <translation>Sichern, was ein Teil des Modells bekommt und liefert, etwa ein herausgelöster</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Compile for a device…</source>
      <translation>Für ein Gerät kompilieren…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Compile the model for a device or a chip that need not be here</source>
      <translation>Das Modell für ein Gerät oder einen Chip kompilieren, der nicht hier sein muss</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Measure the latency of the model, its speed</source>
      <translation>Die Latenz des Modells messen, seine Geschwindigkeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Cancel the current job</source>
      <translation>Den aktuellen Vorgang abbrechen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Check device support…</source>
      <translation>Geräteunterstützung prüfen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Generate code…</source>
      <translation>Code erzeugen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Measurement settings…</source>
      <translation>Messeinstellungen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Sweep…</source>
      <translation>Messreihe …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Measure on all devices…</source>
      <translation>Auf allen Geräten messen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Compare the devices of this machine, and find the best settings on them</source>
      <translation>Die Geräte dieses Rechners vergleichen und ihre besten Einstellungen finden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Series of shapes…</source>
      <translation>Reihe von Größen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Run several lengths of dynamic axes in one session</source>
      <translation>Mehrere Längen dynamischer Achsen in einer Session ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Compare Python environments…</source>
      <translation>Python-Umgebungen vergleichen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Compare answers and latency by version of the runtime</source>
      <translation>Antworten und Latenz nach Version der Runtime vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Estimate on other devices…</source>
      <translation>Auf anderen Geräten schätzen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Estimate latency and memory on devices that are not here</source>
      <translation>Latenz und Speicher auf Geräten schätzen, die nicht hier sind</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Problems of all open models…</source>
      <translation>Probleme aller geöffneten Modelle …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>List what is wrong with the open models</source>
      <translation>Auflisten, was mit den geöffneten Modellen nicht stimmt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Measure on several machines…</source>
      <translation>Auf mehreren Rechnern messen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Select slowest layer</source>
      <translation>Langsamste Schicht auswählen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Select the layer that takes most of the time, in Performance</source>
      <translation>Die Schicht auswählen, die am meisten Zeit braucht, in Leistung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Previous selection</source>
      <translation>Vorherige Auswahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Next selection</source>
      <translation>Nächste Auswahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Could not show the layer</source>
      <translation>Die Schicht konnte nicht gezeigt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>the model</source>
      <translation>das Modell</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Open {model} first: no open model has the layer {layer}.</source>
      <translation>Öffnen Sie zuerst {model}: kein geöffnetes Modell hat die Schicht {layer}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Could not show the graph</source>
      <translation>Der Graph konnte nicht gezeigt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/model.py"></location>
      <source>Open {model} first.</source>
      <translation>Öffnen Sie zuerst {model}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Dark</source>
      <translation>Dunkel</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Follow system</source>
      <translation>Wie das System</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Light</source>
      <translation>Hell</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Find in the current tab</source>
      <translation>Im aktuellen Tab suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Copy the command that opens this tab, layer and zoom</source>
      <translation>Den Befehl kopieren, der diesen Tab mit Schicht und Zoom öffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Model list</source>
      <translation>Modellliste</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Show or hide the model list</source>
      <translation>Modellliste ein- oder ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <source>Details pane</source>
      <translation>Detailbereich</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/commands/view.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Show or hide the details pane</source>
      <translation>Detailbereich ein- oder ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Searching for devices…</source>
      <translation>Geräte werden gesucht …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Not installed: click to copy the command</source>
      <translation>Nicht installiert: klicken, um den Befehl zu kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Copied: {command}</source>
      <translation>Kopiert: {command}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Other machines</source>
      <translation>Andere Rechner</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Add another machine…</source>
      <translation>Weiteren Rechner hinzufügen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>Other machines…</source>
      <translation>Andere Rechner …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/device_menu.py"></location>
      <source>unreachable</source>
      <translation>nicht erreichbar</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>Open URL — Inspector</source>
      <translation>URL öffnen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>https://…/model.onnx, hf://owner/name/model.onnx</source>
      <translation>https://…/model.onnx, hf://owner/name/model.onnx</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>URL of a model</source>
      <translation>URL eines Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>Download</source>
      <translation>Herunterladen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>Check URL</source>
      <translation>URL prüfen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>URL of an ONNX model. Inspector asks before it downloads anything.</source>
      <translation>URL eines ONNX-Modells. Inspector fragt, bevor etwas heruntergeladen wird.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>Enter https://host/model.onnx or hf://owner/name/model.onnx.</source>
      <translation>https://host/model.onnx oder hf://owner/name/model.onnx eingeben.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>This is not the URL of a model</source>
      <translation>Das ist nicht die URL eines Modells</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>Contacting the server…</source>
      <translation>Verbindung zum Server …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>It will be saved in {folder}.</source>
      <translation>Das Modell wird in {folder} gespeichert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/address_dialog.py"></location>
      <source>{done} of {total}</source>
      <translation>{done} von {total}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Code for {model} — Inspector</source>
      <translation>Code für {model} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Code</source>
      <translation>Code</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Save as…</source>
      <translation>Speichern unter …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Uses the preprocessing from the Preview tab and the settings of the next measurement.</source>
      <translation>Verwendet die Vorverarbeitung aus „Vorschau“ und die Einstellungen der nächsten Messung.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Requires: {packages}</source>
      <translation>Erfordert: {packages}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/code_dialog.py"></location>
      <source>Save code</source>
      <translation>Code speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Install {name}</source>
      <translation>{name} installieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Install</source>
      <translation>Installieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Downloads {packages} and all dependencies into an environment of its own:</source>
      <translation>Lädt {packages} und alle Abhängigkeiten in eine eigene Umgebung herunter:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Downloads {packages} and all dependencies (about {size}) into an environment of its own:</source>
      <translation>Lädt {packages} und alle Abhängigkeiten (etwa {size}) in eine eigene Umgebung herunter:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Nothing else is changed.</source>
      <translation>Sonst wird nichts geändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>starting</source>
      <translation>Start</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>{step} {seconds} s</source>
      <translation>{step} {seconds} s</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/engine_dialog.py"></location>
      <source>Downloading: {count} MB of about {whole}</source>
      <translation>Herunterladen: {count} MB von etwa {whole}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>{name} — Inspector</source>
      <translation>{name} — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Filter models</source>
      <translation>Modelle filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Select two models to compare them</source>
      <translation>Zwei Modelle auswählen, um sie zu vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Export CSV…</source>
      <translation>CSV exportieren …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Open {count}</source>
      <translation>{count} öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/folder_dialog.py"></location>
      <source>Export table</source>
      <translation>Tabelle exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Search the guide</source>
      <translation>Handbuch durchsuchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Contents</source>
      <translation>Inhalt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>No pages match your search</source>
      <translation>Keine Seite passt zur Suche</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Back (Alt+Left)</source>
      <translation>Zurück (Alt+Links)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Forward (Alt+Right)</source>
      <translation>Vorwärts (Alt+Rechts)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Best match: {title}</source>
      <translation>Bester Treffer: {title}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>Page</source>
      <translation>Seite</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/guide_dialog.py"></location>
      <source>This page is missing from this installation.</source>
      <translation>Diese Seite fehlt in dieser Installation.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Filter terms</source>
      <translation>Begriffe filtern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Find a term</source>
      <translation>Begriff suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>No terms match your search</source>
      <translation>Kein Begriff passt zur Suche</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Inspector {version}</source>
      <translation>Inspector {version}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Inspector works offline: your models and measurements stay on this machine.</source>
      <translation>Inspector arbeitet offline: Modelle und Messungen bleiben auf diesem Rechner.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>Sandbox: {level}{because}: {meanings}.</source>
      <translation>Sandbox: {level}{because}: {meanings}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/help_dialogs.py"></location>
      <source>License: Apache-2.0. The fonts Inter and JetBrains Mono are under the SIL Open Font License.</source>
      <translation>Lizenz: Apache-2.0. Die Schriften Inter und JetBrains Mono stehen unter der SIL Open Font License.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Machines that you reach over SSH. Choose one from the device menu: models are then measured there, and the reports open here.</source>
      <translation>Rechner, die über SSH erreichbar sind. Einen aus dem Gerätemenü auswählen: Modelle werden dann dort gemessen, und die Berichte öffnen sich hier.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>No machines yet. Add one below.</source>
      <translation>Noch keine Rechner. Unten einen hinzufügen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Add a machine</source>
      <translation>Rechner hinzufügen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>SSH host</source>
      <translation>SSH-Host</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Python on that machine</source>
      <translation>Python auf diesem Rechner</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Leave empty if Inspector was installed there from here</source>
      <translation>Leer lassen, wenn Inspector von hier aus dort installiert wurde</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/machines_dialog.py"></location>
      <source>Remove {name}</source>
      <translation>{name} entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Theme</source>
      <translation>Design</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Language</source>
      <translation>Sprache</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Zoom</source>
      <translation>Zoom</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Size units</source>
      <translation>Größeneinheiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Default device</source>
      <translation>Standardgerät</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Report library</source>
      <translation>Berichtsbibliothek</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Downloaded models</source>
      <translation>Heruntergeladene Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Recent files</source>
      <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>KiB, MiB, GiB (1,024 bytes)</source>
      <translation>KiB, MiB, GiB (1.024 Byte)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>kB, MB, GB (1,000 bytes)</source>
      <translation>kB, MB, GB (1,000 Byte)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Changes to the language, zoom and size units take effect after you restart Inspector.</source>
      <translation>Änderungen an Sprache, Zoom und Größeneinheiten wirken nach einem Neustart von Inspector.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Clear recent files</source>
      <translation>Liste leeren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Remove downloads</source>
      <translation>Downloads entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Show folder</source>
      <translation>Ordner anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Appearance</source>
      <translation>Darstellung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>This device will be selected for models that you open from now on.</source>
      <translation>Dieses Gerät wird für künftig geöffnete Modelle ausgewählt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Startup</source>
      <translation>Start</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Privacy</source>
      <translation>Datenschutz</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>Inspector sends nothing by itself. It uses the network only at your request: to download a model whose URL you open (it asks first), to install a runtime, and to run models on machines that you added. Those receive the models: your own machines, a lab, or a service such as Qualcomm AI Hub.</source>
      <translation>Inspector sendet von sich aus nichts. Das Netzwerk wird nur auf Wunsch verwendet: um ein Modell herunterzuladen, dessen URL geöffnet wird (mit vorheriger Frage), um eine Laufzeitumgebung zu installieren und um Modelle auf hinzugefügten Rechnern auszuführen. Diese erhalten die Modelle: eigene Rechner, ein Labor oder ein Dienst wie Qualcomm AI Hub.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/preferences_dialog.py"></location>
      <source>{device} (not available)</source>
      <translation>{device} (nicht verfügbar)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>The file changed on disk. Press F5 to reload it.</source>
      <translation>Die Datei hat sich geändert. F5 lädt sie neu.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>The file no longer exists.</source>
      <translation>Die Datei gibt es nicht mehr.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>Problems of the open models</source>
      <translation>Probleme der geöffneten Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>Problems</source>
      <translation>Probleme</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>No open model has a known problem.</source>
      <translation>Kein geöffnetes Modell hat ein bekanntes Problem.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/problems_dialog.py"></location>
      <source>{problems} in {models}. Click one to see the model.</source>
      <translation>{problems} in {models}. Ein Klick zeigt das Modell.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Web page (*.html);;PDF (*.pdf);;Markdown (*.md)</source>
      <translation>Webseite (*.html);;PDF (*.pdf);;Markdown (*.md)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Series of shapes</source>
      <translation>Reihe von Größen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Runs the model at these lengths of its dynamic axes, one after the other in one session: the first and later runs of each, and whether its memory comes back.</source>
      <translation>Führt das Modell mit diesen Längen seiner dynamischen Achsen nacheinander in einer Session aus: der erste und die späteren Läufe von jeder, und ob der Speicher zurückkommt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Lengths</source>
      <translation>Längen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>batch=1,2,4; width=224,224,448</source>
      <translation>batch=1,2,4; width=224,224,448</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Compare Python environments</source>
      <translation>Python-Umgebungen vergleichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Runs and measures the model with the runtime of each Python environment: which versions answer alike, the oldest of them, and which is faster.</source>
      <translation>Führt das Modell mit der Runtime jeder Python-Umgebung aus und misst es: welche Versionen gleich antworten, die älteste davon, und welche schneller ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Python executables or environments</source>
      <translation>Python-Programme oder -Umgebungen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>old/bin/python, new/bin/python</source>
      <translation>alt/bin/python, neu/bin/python</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Layer latencies in another format</source>
      <translation>Latenzen der Schichten in einem anderen Format</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Pairs the layers with those of the same network in another format, such as a .tflite of an .onnx, compares their outputs, and measures both models interleaved.</source>
      <translation>Ordnet die Schichten denen desselben Netzes in einem anderen Format zu, etwa einer .tflite zu einer .onnx, vergleicht ihre Ausgaben und misst beide Modelle abwechselnd.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Model of another format</source>
      <translation>Modell eines anderen Formats</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>model.tflite</source>
      <translation>modell.tflite</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Test case of a part</source>
      <translation>Testfall eines Teils</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Runs the whole model on the inputs of Preview, and saves what a part of it gets and gives as an .npz file next to the part. Edit mode of Graph extracts parts.</source>
      <translation>Führt das ganze Modell mit den Eingaben der Vorschau aus und sichert, was ein Teil davon bekommt und liefert, als .npz-Datei neben dem Teil. Der Bearbeitungsmodus des Graphen löst Teile heraus.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Model of the part</source>
      <translation>Modell des Teils</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>part.onnx</source>
      <translation>teil.onnx</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Compile for a device</source>
      <translation>Für ein Gerät kompilieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Compiles the model for a device of this machine or a chip that need not be here, says which layers it takes and why not the others, and saves the result next to the model.</source>
      <translation>Kompiliert das Modell für ein Gerät dieses Rechners oder einen Chip, der nicht hier sein muss, sagt, welche Schichten er nimmt und warum die anderen nicht, und speichert das Ergebnis neben dem Modell.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Chip or device</source>
      <translation>Chip oder Gerät</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Snapdragon 8 Gen 3</source>
      <translation>Snapdragon 8 Gen 3</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Estimate on other devices</source>
      <translation>Auf anderen Geräten schätzen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Estimates latency and memory on devices that the model was not run on. Nothing of the model is run.</source>
      <translation>Schätzt Latenz und Speicher auf Geräten, auf denen das Modell nicht lief. Das Modell wird dabei nicht ausgeführt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Device IDs or files of your own devices</source>
      <translation>IDs von Geräten oder Dateien eigener Geräte</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Add…</source>
      <translation>Hinzufügen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>The answer appears here.</source>
      <translation>Die Antwort erscheint hier.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Answer</source>
      <translation>Antwort</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/question_dialog.py"></location>
      <source>Save page</source>
      <translation>Seite sichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Conversations (*.json)</source>
      <translation>Unterhaltungen (*.json)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Open folder of models</source>
      <translation>Ordner mit Modellen öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>conversation</source>
      <translation>Unterhaltung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Save conversation</source>
      <translation>Unterhaltung speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Open conversation</source>
      <translation>Unterhaltung öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Could not run the model</source>
      <translation>Das Modell konnte nicht ausgeführt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Compare {name} with</source>
      <translation>{name} vergleichen mit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Could not check device support</source>
      <translation>Die Geräteunterstützung konnte nicht geprüft werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Could not generate code to run the model</source>
      <translation>Der Code zum Ausführen des Modells konnte nicht erzeugt werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>{name} is installed</source>
      <translation>{name} ist installiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Save repaired copy</source>
      <translation>Reparierte Kopie speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Could not use the signature '{name}'</source>
      <translation>Die Signatur „{name}“ konnte nicht verwendet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/showing.py"></location>
      <source>Save a copy that runs '{name}'</source>
      <translation>Eine Kopie speichern, die „{name}“ ausführt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Many phones and NPUs run only models with fixed shapes. Clear the check box to see support with dynamic axes.</source>
      <translation>Viele Telefone und NPUs führen nur Modelle mit festen Formen aus. Das Häkchen entfernen, um die Unterstützung mit dynamischen Achsen zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Check device support — {model}</source>
      <translation>Geräteunterstützung prüfen — {model}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Targets</source>
      <translation>Ziele</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Layers on the target device</source>
      <translation>Schichten auf dem Zielgerät</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Only unsupported or unchecked layers</source>
      <translation>Nur nicht unterstützte oder ungeprüfte Schichten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Copy as Markdown</source>
      <translation>Als Markdown kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Set these sizes in a copy of the model, in Improve</source>
      <translation>Diese Größen in einer Kopie des Modells festlegen, in „Verbessern“</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Update the opset…</source>
      <translation>Opset erhöhen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Update the opset of a copy of the model, in Improve</source>
      <translation>Opset einer Kopie des Modells erhöhen, in Verbessern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Assume {sizes}</source>
      <translation>{sizes} annehmen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>The file has dynamic axes. After you set {sizes} in it:</source>
      <translation>Nachdem {sizes} in der Datei festgelegt sind, die jetzt dynamische Achsen hat:</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>{every} of {total} targets run every layer. Estimated from the source code of the execution providers; nothing was run.</source>
      <translation>{every} von {total} Zielen führen jede Schicht aus. Aus dem Quelltext der Ausführungsanbieter geschätzt; nichts wurde ausgeführt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>not counting {layers} that ONNX Runtime removes</source>
      <translation>{layers}, von ONNX Runtime entfernt, nicht mitgezählt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/dialogs/support_dialog.py"></location>
      <source>Source: {source}; other versions may differ</source>
      <translation>Quelle: {source}; andere Versionen können abweichen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/document_view.py"></location>
      <source>This file has no graph</source>
      <translation>Diese Datei hat keinen Graphen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/document_view.py"></location>
      <source>The network is defined by the program that loads this file. Overview and Weights show the content of the file.</source>
      <translation>Das Netz ist durch das Programm festgelegt, das diese Datei lädt. „Übersicht“ und „Gewichte“ zeigen den Inhalt der Datei.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/document_view.py"></location>
      <source>Overview says what runs it, and what can be done here.</source>
      <translation>Der Überblick sagt, was es ausführt und was hier möglich ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>List the models of {name}</source>
      <translation>Modelle von {name} auflisten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Run {model} on {count:,} files</source>
      <translation>{model} auf {count:,} Dateien ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Run {model} on {name}</source>
      <translation>{model} mit {name} ausführen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Open {count:,} files</source>
      <translation>{count:,} Dateien öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Open {name}</source>
      <translation>{name} öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>{name} is an input. {refusal}.</source>
      <translation>{name} ist eine Eingabe. {refusal}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/drops.py"></location>
      <source>Open a model first, then drop it again</source>
      <translation>Zuerst ein Modell öffnen, dann noch einmal ablegen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>The data type that the layer was computed in, which is the same as in the model.</source>
      <translation>Der Datentyp, in dem die Schicht berechnet wurde; er ist derselbe wie im Modell.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Stored → computed: the device has no kernel for the stored type, so ONNX Runtime converts.</source>
      <translation>Gespeichert → berechnet: Das Gerät hat keinen Kernel für den gespeicherten Typ, daher wandelt ONNX Runtime um.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>at least {macs}</source>
      <translation>mindestens {macs}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Arithmetic intensity, layer alone</source>
      <translation>Arithmetische Intensität, Schicht allein</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Achieved throughput</source>
      <translation>Erreichter Durchsatz</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Included in total cost</source>
      <translation>Im Gesamtaufwand enthalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>no; another branch is included</source>
      <translation>nein; ein anderer Zweig ist enthalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Overload</source>
      <translation>Überladung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Notes from the model file</source>
      <translation>Notizen aus der Modelldatei</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Subgraphs</source>
      <translation>Teilgraphen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Requested devices</source>
      <translation>Angeforderte Geräte</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Open a model to see its details.</source>
      <translation>Ein Modell öffnen, um seine Details zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Select a layer or an event to see its details.</source>
      <translation>Eine Schicht oder ein Ereignis auswählen, um Details zu sehen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>{share} of kernel time</source>
      <translation>{share} der Kernelzeit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Unknown: {why}</source>
      <translation>Unbekannt: {why}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show this layer in the graph as executed</source>
      <translation>Diese Schicht im Graphen wie ausgeführt anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show the graph as executed</source>
      <translation>Den Graphen wie ausgeführt anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show the model and the optimized graph</source>
      <translation>Das Modell und den optimierten Graphen anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show this tensor</source>
      <translation>Diesen Tensor anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show in Weights</source>
      <translation>In „Gewichte“ anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Hide the documentation</source>
      <translation>Dokumentation ausblenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Show the documentation</source>
      <translation>Dokumentation anzeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Operator {operator}</source>
      <translation>Operator {operator}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Loading…</source>
      <translation>Wird geladen …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>The ONNX standard does not describe this operator.</source>
      <translation>Der ONNX-Standard beschreibt diesen Operator nicht.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Inside the compiled partition: {text}.</source>
      <translation>In der kompilierten Partition: {text}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Conversions that the runtime added for this layer take another {duration}.</source>
      <translation>Umwandlungen ihrer Werte, von der Laufzeitumgebung eingefügt, dauern weitere {duration}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>min {duration} · max {duration_2}</source>
      <translation>min. {duration} · max. {duration_2}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Measures the peak rates of the device, not the model again, and shows the limit of each layer</source>
      <translation>Misst die Spitzenwerte des Geräts, nicht erneut das Modell, und zeigt die Grenze jeder Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>layer {into}</source>
      <translation>Schicht {into}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>One of {count} layers compiled into one; their time is listed at {name}.</source>
      <translation>Eine von {count} Schichten, die zu einer kompiliert wurden; ihre Zeit steht bei {name}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>{capitalize} into {name}; their time is measured together.</source>
      <translation>{capitalize} in {name}; die Zeit wird gemeinsam gemessen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Not timed: submitting it took {duration}, and the device ran it asynchronously. Use Synchronize layers to time it.</source>
      <translation>Nicht gemessen: Das Übergeben dauerte {duration}, und das Gerät führte die Schicht asynchron aus. Mit „Schichten synchronisieren“ wird sie gemessen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Not timed separately: {value}.</source>
      <translation>Nicht einzeln gemessen: {value}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>and {count} more</source>
      <translation>und {count} weitere</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Prefill</source>
      <translation>Prefill</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>{share} of prefill</source>
      <translation>{share} des Prefills</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Decode</source>
      <translation>Decode</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>{share} of a step</source>
      <translation>{share} eines Schritts</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Source</source>
      <translation>Quelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>in {function}</source>
      <translation>in {function}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Module</source>
      <translation>Modul</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Class</source>
      <translation>Klasse</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Operator version from opset {since}; this model uses opset {opset}.</source>
      <translation>Operatorversion ab Opset {since}; dieses Modell verwendet Opset {opset}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Changed in opsets {versions}</source>
      <translation>Geändert in den Opsets {versions}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Deprecated</source>
      <translation>Veraltet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/inspector_pane.py"></location>
      <source>Compared with the previous version: {c}.</source>
      <translation>Im Vergleich zur vorherigen Version: {c}.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Inspector</source>
      <translation>Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>Closed the report of {name}</source>
      <translation>Bericht von {name} geschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>its report</source>
      <translation>der Bericht dazu</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>its {report_count}</source>
      <translation>{report_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>Closed {name} and {several}</source>
      <translation>{name} und {several} geschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/main_window.py"></location>
      <source>Closed {items}</source>
      <translation>{items} geschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>The model shown is the old version and can no longer be run. Press F5 to reload it; its reports stay open.</source>
      <translation>Das angezeigte Modell ist die alte Version und kann nicht mehr ausgeführt werden. Mit F5 neu laden; seine Berichte bleiben geöffnet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{name} changed on disk</source>
      <translation>{name} wurde auf dem Datenträger geändert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>It was deleted, renamed or moved. The loaded model stays open.</source>
      <translation>Die Datei wurde gelöscht, umbenannt oder verschoben. Das geladene Modell bleibt geöffnet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <location filename="inspector/ui/window/status.py"></location>
      <source>{name} no longer exists</source>
      <translation>{name} existiert nicht mehr</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{why}. The model shown is the old version.</source>
      <translation>{why}. Angezeigt wird die alte Version des Modells.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{name} could not be reloaded</source>
      <translation>{name} konnte nicht neu geladen werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Export report…</source>
      <translation>Bericht exportieren …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Press {keys} to reopen it.</source>
      <translation>Mit {keys} wieder öffnen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Press {keys} to reopen the last one, again for the one before.</source>
      <translation>{keys} öffnet das letzte wieder, noch einmal das davor.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Reopen</source>
      <translation>Wieder öffnen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Link copied</source>
      <translation>Link kopiert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>It was moved to {aside}; Inspector is using the default settings.</source>
      <translation>Sie wurde nach {aside} verschoben; Inspector verwendet die Standardeinstellungen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>The settings file was damaged</source>
      <translation>Die Einstellungsdatei war beschädigt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{name} has {edits}</source>
      <translation>{name} hat {edits}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Save a copy and measure it…</source>
      <translation>Kopie speichern und messen…</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Save the edited model as a copy to measure it. The file stays as it is.</source>
      <translation>Speichern Sie das geänderte Modell als Kopie, um es zu messen. Die Datei bleibt, wie sie ist.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Measure the copy</source>
      <translation>Kopie messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>The edited model is saved as {copy}.</source>
      <translation>Das geänderte Modell ist als {copy} gespeichert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Measure — Inspector</source>
      <translation>Messen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Measure without edits</source>
      <translation>Ohne Änderungen messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{count:,} jobs are not finished</source>
      <translation>{count:,} Aufgaben sind nicht abgeschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{job} is not finished</source>
      <translation>{job} ist nicht abgeschlossen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Quitting stops it and keeps the results so far.</source>
      <translation>Beim Beenden wird sie abgebrochen; die bisherigen Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Quitting stops them and keeps the results so far.</source>
      <translation>Beim Beenden werden sie abgebrochen; die bisherigen Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Stop and quit</source>
      <translation>Abbrechen und beenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Quit — Inspector</source>
      <translation>Beenden — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{report_count} could not be saved</source>
      <translation>{report_count} nicht gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>The report library is not writable. Export the reports that you need, or quit without saving.</source>
      <translation>In die Berichtsbibliothek kann nicht geschrieben werden. Die benötigten Berichte exportieren oder ohne Speichern beenden.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Quit without saving</source>
      <translation>Ohne Speichern beenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Close without saving</source>
      <translation>Schließen ohne zu speichern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Close — Inspector</source>
      <translation>Schließen — Inspector</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Closing drops the edits. The file on disk is unchanged.</source>
      <translation>Beim Schließen gehen die Änderungen verloren. Die Datei auf der Festplatte ist unverändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Quit and keep the edits</source>
      <translation>Beenden und Änderungen behalten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>Unsaved edits return at the next start. The file is unchanged.</source>
      <translation>Nicht gespeicherte Änderungen sind beim nächsten Start wieder da. Die Datei ist unverändert.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/messages.py"></location>
      <source>{edits} of {names} not saved</source>
      <translation>{edits} von {names} nicht gespeichert</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/running_jobs.py"></location>
      <source>{model}: {job}</source>
      <translation>{model}: {job}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Inspector closed unexpectedly {most_attempts} times while restoring it.</source>
      <translation>Inspector wurde beim Wiederherstellen {most_attempts}-mal unerwartet beendet.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>The last session was not restored</source>
      <translation>Die letzte Sitzung wurde nicht wiederhergestellt</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>{capitalize} can be restored. Nothing was lost.</source>
      <translation>{capitalize} wiederherstellbar. Nichts ging verloren.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Inspector did not shut down properly last time</source>
      <translation>Inspector wurde das letzte Mal nicht ordnungsgemäß beendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Damaged session or library files were moved</source>
      <translation>Beschädigte Sitzungs- oder Bibliotheksdateien wurden verschoben</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>They are now {names} in {parent}; results are not affected.</source>
      <translation>Sie sind jetzt {names} in {parent}; Ergebnisse sind nicht betroffen.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>The oldest {count} have not been exported. Remove them, or export what you want to keep and restart. Nothing is removed automatically.</source>
      <translation>Die ältesten {count} wurden nicht exportiert. Sie entfernen, oder exportieren, was erhalten bleiben soll, und neu starten. Nichts wird automatisch entfernt.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Remove {count}</source>
      <translation>{count} entfernen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>The report library is full</source>
      <translation>Die Berichtsbibliothek ist voll</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Session restored: {items}</source>
      <translation>Sitzung wiederhergestellt: {items}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Restoring the last session…</source>
      <translation>Die letzte Sitzung wird wiederhergestellt …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>this session</source>
      <translation>diese Sitzung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>Could not open a report of {name}</source>
      <translation>Ein Bericht von {name} konnte nicht geöffnet werden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>the report is no longer in the library</source>
      <translation>der Bericht ist nicht mehr in der Bibliothek</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>the file is no longer in {parent}</source>
      <translation>die Datei ist nicht mehr in {parent}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/session.py"></location>
      <source>It was deleted, renamed or moved. Its reports are still available.</source>
      <translation>Sie wurde gelöscht, umbenannt oder verschoben. Ihre Berichte sind weiterhin verfügbar.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Menu</source>
      <translation>Menü</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Tables</source>
      <translation>Tabellen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Open the menu; Alt with a letter opens one of its menus</source>
      <translation>Das Menü öffnen; Alt mit einem Buchstaben öffnet eines seiner Menüs</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Zoom in or out</source>
      <translation>Vergrößern oder verkleinern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Scroll left or right</source>
      <translation>Nach links oder rechts rollen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Go to start or end</source>
      <translation>Zum Anfang oder Ende gehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Fit the marked range or the event; again: everything</source>
      <translation>Markierten Bereich oder Ereignis einpassen; noch einmal: alles</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Previous or next event; on Layer outputs: layer</source>
      <translation>Vorheriges oder nächstes Ereignis; bei Schichtausgaben: Schicht</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Find an event</source>
      <translation>Ein Ereignis suchen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Mark the event, or measure between two points</source>
      <translation>Ereignis markieren oder zwischen zwei Punkten messen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Collapse or expand a lane</source>
      <translation>Eine Bahn ein- oder ausklappen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Pin a lane</source>
      <translation>Eine Bahn anheften</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Clear the selection</source>
      <translation>Die Auswahl aufheben</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Begin or end edit mode</source>
      <translation>Bearbeitungsmodus beginnen oder beenden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Menu of what is selected</source>
      <translation>Menü zur Auswahl</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Rename a layer or tensor, in edit mode</source>
      <translation>Schicht oder Tensor umbenennen, im Bearbeitungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Delete layers, in edit mode</source>
      <translation>Schichten löschen, im Bearbeitungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Bypass a layer, in edit mode</source>
      <translation>Schicht umgehen, im Bearbeitungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Insert a layer, in edit mode</source>
      <translation>Schicht einfügen, im Bearbeitungsmodus</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Apply the preview, or edit attributes</source>
      <translation>Vorschau anwenden oder Attribute bearbeiten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Send the message, or go on with the alternative</source>
      <translation>Nachricht senden, oder mit der Alternative fortfahren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Stop the answer</source>
      <translation>Antwort stoppen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Previous or next token</source>
      <translation>Voriges oder nächstes Token</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Go to a token below 50%</source>
      <translation>Zu einem Token unter 50 % gehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Go to the first token that differs</source>
      <translation>Zum ersten abweichenden Token gehen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Open the row; a layer, in the graph</source>
      <translation>Zeile öffnen; eine Schicht im Graphen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Copy the row</source>
      <translation>Die Zeile kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Sort by the previous or next column</source>
      <translation>Nach der vorherigen oder nächsten Spalte sortieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/shortcuts.py"></location>
      <source>Change the sort order</source>
      <translation>Die Sortierreihenfolge ändern</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>open</source>
      <translation>offen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>{size} · open</source>
      <translation>{size} · offen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>tokenizer</source>
      <translation>Tokenizer</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Open models, reports, traces and comparisons</source>
      <translation>Geöffnete Modelle, Berichte, Traces und Vergleiche</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Restore session</source>
      <translation>Letzte Sitzung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Traces</source>
      <translation>Traces</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Comparisons</source>
      <translation>Vergleiche</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Open what the last window had open: {held}</source>
      <translation>Öffnen, was im letzten Fenster offen war: {held}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Variants</source>
      <translation>Varianten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Copy path</source>
      <translation>Pfad kopieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Close other reports</source>
      <translation>Andere Berichte schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Close others</source>
      <translation>Andere schließen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>It has no other report</source>
      <translation>Es gibt keinen anderen Bericht</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Nothing else is open</source>
      <translation>Sonst ist nichts geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Rename report</source>
      <translation>Bericht umbenennen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Name in the list (leave empty for the default name):</source>
      <translation>Name in der Liste (leer lassen für den Standardnamen):</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>{starts} processes</source>
      <translation>{starts} Prozesse</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Failed · {when}</source>
      <translation>Fehlgeschlagen · {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Noisy · {when}</source>
      <translation>Verrauscht · {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Incomplete · {when}</source>
      <translation>Unvollständig · {when}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/sidebar.py"></location>
      <source>Previous version · {words_below}</source>
      <translation>Vorherige Version · {words_below}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>Cancel this job; the model stays open</source>
      <translation>Diesen Vorgang abbrechen; das Modell bleibt geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>Show the model that works</source>
      <translation>Das arbeitende Modell zeigen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>Status</source>
      <translation>Status</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>List the problems of this model</source>
      <translation>Probleme dieses Modells auflisten</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>List the problems of this model, and {several} of the other open models</source>
      <translation>Probleme dieses Modells auflisten und {several} der anderen offenen Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>Opening {reading}</source>
      <translation>{reading} wird geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>Ready</source>
      <translation>Bereit</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>{edits} · other tabs show the file without them</source>
      <translation>{edits} · andere Tabs zeigen die Datei ohne sie</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/status.py"></location>
      <source>{name} changed on disk · press F5 to reload</source>
      <translation>{name} wurde auf dem Datenträger geändert · mit F5 neu laden</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/tabs.py"></location>
      <source>Performance</source>
      <translation>Leistung</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Menu (F10)</source>
      <translation>Menü (F10)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>No model open</source>
      <translation>Kein Modell geöffnet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Settings and sweeps</source>
      <translation>Einstellungen und Messreihen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Export the current item</source>
      <translation>Das Angezeigte exportieren</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>{device} on {machine}</source>
      <translation>{device} auf {machine}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Comparison of two models</source>
      <translation>Vergleich zweier Modelle</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Open a model or drop one here</source>
      <translation>Ein Modell öffnen oder hier ablegen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Opset {opset}</source>
      <translation>Opset {opset}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Report without model · {layer_count}</source>
      <translation>Bericht ohne Modell · {layer_count}</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/top_bar.py"></location>
      <source>Opening…</source>
      <translation>Wird geöffnet …</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Clothing photos (image)</source>
      <translation>Kleidungsfotos (Bild)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Handwritten digits (image)</source>
      <translation>Handgeschriebene Ziffern (Bild)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Tone detection (audio)</source>
      <translation>Tonerkennung (Audio)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Language identification (text)</source>
      <translation>Sprachbestimmung (Text)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Wine classification (table)</source>
      <translation>Weinklassifikation (Tabelle)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Sharpening (image to image)</source>
      <translation>Schärfen (Bild zu Bild)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Alice in Wonderland (chat)</source>
      <translation>Alice im Wunderland (Chat)</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Drop a model here</source>
      <translation>Ein Modell hier ablegen</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Inspect a model (ONNX, TensorFlow Lite, Core ML and more), run it on your own data and profile it layer by layer. You can also open reports and traces. Opening a model never runs it.</source>
      <translation>Ein Modell (ONNX, TensorFlow Lite, Core ML und mehr) ansehen, auf eigene Daten anwenden und Schicht für Schicht messen. Auch Berichte und Traces lassen sich öffnen. Öffnen führt ein Modell nie aus.</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Recent</source>
      <translation>Zuletzt verwendet</translation>
    </message>
    <message>
      <location filename="inspector/ui/window/welcome.py"></location>
      <source>Sample models</source>
      <translation>Beispielmodelle</translation>
    </message>
    <message>
      <location filename="inspector/units.py"></location>
      <source>all optimizations</source>
      <translation>alle Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/units.py"></location>
      <source>basic optimizations</source>
      <translation>einfache Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/units.py"></location>
      <source>extended optimizations</source>
      <translation>erweiterte Optimierungen</translation>
    </message>
    <message>
      <location filename="inspector/units.py"></location>
      <source>no optimization</source>
      <translation>ohne Optimierung</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Accepted, then failed</source>
      <translation>Angenommen, dann fehlgeschlagen</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Constant-folded</source>
      <translation>Als Konstante berechnet</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Excluded by this configuration</source>
      <translation>Durch diese Konfiguration ausgeschlossen</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Not supported</source>
      <translation>Nicht unterstützt</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Ran on this device</source>
      <translation>Lief auf diesem Gerät</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Supported</source>
      <translation>Unterstützt</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Supported as several operators</source>
      <translation>Als mehrere Operatoren unterstützt</translation>
    </message>
    <message>
      <location filename="inspector/wording/support_marks.py"></location>
      <source>Supported through a cast</source>
      <translation>Mit Typumwandlung unterstützt</translation>
    </message>
  </context>
</TS>
