// The picture: one request at a time, none while the page is hidden, and never a frame without the outlines that belong to it.

import { request } from "./api.js";
import { Carry } from "./carry.js";

const firstPauseMs = 400;
const longestPauseMs = 5000;

/**
 * @typedef {{seq: number, read?: boolean, frame: {width: number, height: number}, codes: Array, unread: Array, candidates: Array, viewport: Object, bitmap: ImageBitmap}} Frame
 * read: false if nobody looked for codes in it; unread: what the station says just now; candidates: those of them that this frame shows
 */

/** Takes frames until it is stopped. */
export class Preview {
  /** @param {{frame: function(Frame), none: function(string|null), failed: function(Error)}} callbacks none: no new frame, with the camera's state */
  constructor(callbacks) {
    this.callbacks = callbacks;
    this.carry = new Carry();
    this.after = null;
    this.abort = null;
    this.isOn = false;
    this.wake = () => (document.hidden ? this.abort?.abort() : this.resume?.());
    this.sleep = () => this.abort?.abort();
  }

  start() {
    this.isOn = true;
    document.addEventListener("visibilitychange", this.wake);
    addEventListener("pagehide", this.sleep);
    this.run();
  }

  stop() {
    this.isOn = false;
    document.removeEventListener("visibilitychange", this.wake);
    removeEventListener("pagehide", this.sleep);
    this.abort?.abort();
    this.resume?.();
  }

  async run() {
    let pause = firstPauseMs;
    while (this.isOn) {
      if (document.hidden) {
        await new Promise((resume) => (this.resume = resume));
        continue;
      }
      this.abort = new AbortController();
      try {
        const frame = await nextFrame(this.after, this.abort.signal);
        if (!this.isOn) return;
        pause = firstPauseMs;
        if (frame.bitmap) {
          this.after = frame.seq;
          const shown = this.carry.follow(frame);
          if (shown) this.callbacks.frame(shown);
          else frame.bitmap.close();
        } else {
          this.callbacks.none(frame.camera);
        }
      } catch (error) {
        if (!this.isOn) return;
        if (error.name === "AbortError") {
          await new Promise((resume) => setTimeout(resume, firstPauseMs));
          continue;
        }
        // A station that began again counts from the beginning.
        this.after = null;
        this.callbacks.failed(error);
        await new Promise((resume) => {
          this.resume = resume;
          setTimeout(resume, Math.max(pause, (error.retryAfter ?? 0) * 1000));
        });
        pause = Math.min(pause * 2, longestPauseMs);
      }
    }
  }
}

async function nextFrame(after, signal) {
  const query = after === null ? "" : `?after=${after}`;
  const response = await request("GET", `/preview/next${query}`, { signal, headers: { Accept: "application/vnd.scanstation.preview" } });
  if (response.status === 204) return { camera: response.headers.get("X-Camera-State") };
  const body = await response.arrayBuffer();
  const length = body.byteLength >= 4 ? new DataView(body).getUint32(0) : Infinity;
  if (4 + length >= body.byteLength) throw new Error("The picture came cut short.");
  const meta = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
  const jpeg = new Blob([new Uint8Array(body, 4 + length)], { type: "image/jpeg" });
  return { ...meta, bitmap: await createImageBitmap(jpeg) };
}
