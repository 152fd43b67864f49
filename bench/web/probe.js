// Runs in the page before the app. What it measures is read as `probe.…` by the benchmark and the tests of the web app.

const probe = {
  commits: 0,
  /** How many components React has rendered. */
  rendered: 0,
  requests: [],
  inFlight: 0,
  /** Resolves when the next key was painted: the milliseconds since it was pressed, and the work of React until then. */
  nextKey() {
    return new Promise(resolve => {
      const listen = event => {
        if (['Shift', 'Alt', 'Control', 'Meta'].includes(event.key)) return
        removeEventListener('keydown', listen, { capture: true })
        const before = { commits: probe.commits, rendered: probe.rendered, requests: probe.requests.length }
        const done = () =>
          resolve({
            ms: performance.now() - event.timeStamp,
            commits: probe.commits - before.commits,
            rendered: probe.rendered - before.rendered,
            requests: probe.requests.length - before.requests,
          })
        // The first frame after the key, and then the first task after its paint.
        requestAnimationFrame(() => afterPaint(done))
      }
      addEventListener('keydown', listen, { capture: true })
    })
  },
  /** Listens from now on: `probe.key` resolves with the next key. A key that is pressed before this has returned could be missed. */
  awaitKey() {
    probe.key = probe.nextKey()
  },
  /**
   * Resolves when no request has been on its way and React has committed nothing for
   * longer than the 150 ms after which a list notices that its scrolling is over.
   */
  async quiet() {
    const frame = () => new Promise(resolve => requestAnimationFrame(resolve))
    for (let frames = 0; frames < 15; ) {
      const { commits } = probe
      await frame()
      frames = probe.inFlight === 0 && probe.commits === commits ? frames + 1 : 0
    }
  },
  /** Listens from now on: `probe.element` resolves with the milliseconds from the next key to the paint of an element. */
  awaitElement(selector) {
    probe.element = new Promise(resolve => {
      const listen = ({ timeStamp }) => {
        const look = () => {
          if (document.querySelector(selector)) afterPaint(() => resolve(performance.now() - timeStamp))
          else requestAnimationFrame(look)
        }
        requestAnimationFrame(look)
      }
      addEventListener('keydown', listen, { capture: true, once: true })
    })
  },
  /** Looks from now on: `probe.text` resolves with the time of day at which a text was painted. */
  awaitText(text) {
    probe.text = new Promise(resolve => {
      const look = () => {
        if (document.body.textContent.includes(text)) afterPaint(() => resolve(Date.now()))
        else requestAnimationFrame(look)
      }
      look()
    })
  },
  /** Looks from now on: `probe.frames()` ends it and has the milliseconds between each two frames. */
  watchFrames() {
    const times = []
    let isOver = false
    const look = now => {
      times.push(now)
      if (!isOver) requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
    probe.frames = () => {
      isOver = true
      return times.slice(1).map((time, at) => time - times[at])
    }
  },
  // Of the page itself, without the places in the sidebar: they are as many as the workspace has.
  nodes: () => document.body.querySelectorAll('*').length - document.querySelectorAll('.side nav *').length,
}
globalThis.probe = probe

/** Calls in the first task after the paint of the frame that is being made. */
function afterPaint(act) {
  const { port1, port2 } = new MessageChannel()
  port1.onmessage = act
  port2.postMessage(0)
}

const performedWork = 1 // React's flag of a component that was rendered

/** How many components of a tree the last commit rendered. Where the children are those of before, nothing below was. */
function renderedIn(tree) {
  if (tree.child === tree.alternate?.child) return 0
  let count = 0
  for (let each = tree.child; each; each = each.sibling)
    count += (typeof each.type !== 'string' && each.flags & performedWork ? 1 : 0) + renderedIn(each)
  return count
}

// React tells every commit to the hook of its developer tools.
globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
  supportsFiber: true,
  renderers: new Map(),
  inject: () => 1,
  checkDCE: () => undefined,
  onCommitFiberRoot: (_renderer, root) => {
    probe.commits++
    probe.rendered += renderedIn(root.current)
  },
  onPostCommitFiberRoot: () => undefined,
  onCommitFiberUnmount: () => undefined,
}

const send = globalThis.fetch
globalThis.fetch = (...input) => {
  probe.requests.push(performance.now())
  probe.inFlight++
  return send(...input).finally(() => probe.inFlight--)
}
