/// <reference types="chrome" />
import type { PageEvent } from '../pageMessages.ts'

/** Browser APIs that the wallet uses. `chromePlatform` is Chrome's; tests pass their own. */
export type Platform = {
  /** Kept in memory until the browser is closed or the extension is updated. Only the extension's pages can read it. */
  session: Area
  local: Area
  /** Returns the window's id. */
  openApproval: () => Promise<number | undefined>
  /** Brings the approval window to the front. Returns `false` if it is closed. */
  focusApproval: (windowId: number) => Promise<boolean>
  closeWindow: (windowId: number) => Promise<void>
  /** Sends an event to a page. Returns `closed` if its tab is closed or shows a different document. */
  sendToDocument: (
    document: PageDocument,
    message: PageEvent | { ping: true },
  ) => Promise<'open' | 'closed' | 'silent'>
  notifyWindows: () => void
  showWaiting: (count: number) => void
  /** Milliseconds since 1970. */
  now: () => number
  fetch: typeof fetch
}

export type Area = {
  get: () => Promise<Record<string, unknown>>
  set: (values: Record<string, unknown>) => Promise<void>
  clear: () => Promise<void>
}

export type PageDocument = { tabId: number; documentId: string; origin: string }

export const chromePlatform: Platform = {
  session: areaOf(chrome.storage.session),
  local: areaOf(chrome.storage.local),
  openApproval: async () => {
    const { id } = (await chrome.windows.create({
      url: 'approval.html',
      type: 'popup',
      width: 400,
      height: 680,
      focused: true,
    })) ?? { id: undefined }
    return id
  },
  // This fails for a window that the user has closed.
  focusApproval: (windowId) =>
    chrome.windows.update(windowId, { focused: true, drawAttention: true }).then(
      () => true,
      () => false,
    ),
  // The window may already be closed; then there is nothing to do.
  closeWindow: (windowId) => chrome.windows.remove(windowId).catch(() => {}),
  sendToDocument: ({ tabId, documentId }, message) =>
    Promise.race([
      chrome.tabs.sendMessage(tabId, message, { documentId }).then(
        () => 'open' as const,
        () => 'closed' as const,
      ),
      // A page in the back/forward cache never responds. It has closed its requests, and gets later events once it is shown again.
      new Promise<'silent'>((resolve) => setTimeout(() => resolve('silent'), 1_000)),
    ]),
  // This fails if no window is open. A window that opens later reads the current state.
  notifyWindows: () => void chrome.runtime.sendMessage({ changed: true }).catch(() => {}),
  showWaiting: (count) => void chrome.action.setBadgeText({ text: count === 0 ? '' : `${count}` }),
  now: Date.now,
  fetch: (...request) => fetch(...request),
}

function areaOf(area: chrome.storage.StorageArea): Area {
  return { get: () => area.get(null), set: (values) => area.set(values), clear: () => area.clear() }
}
