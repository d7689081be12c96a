// Search of these pages runs in a worker, and browsers start none for pages that are opened as
// files. There, the script of the worker runs in a hidden frame. The name of this file is what
// mkdocs-material's plugin "offline" looks for; otherwise it adds one from another server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const script = document.createElement("script");
      script.src = String(url);
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = script.outerHTML;
      this.inside = new Promise((resolve) => {
        this.frame.onload = () => resolve(this.frame.contentWindow);
      });
      this.inside.then((worker) => {
        worker.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      });
      document.body.append(this.frame);
    }
    postMessage(data) {
      this.inside.then((worker) => worker.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
