/// <reference types="chrome" />
import { createWallet } from './createWallet.ts'
import { chromePlatform } from './platform.ts'

// Chrome starts and stops this worker at any moment. It must register all listeners before it awaits anything.

const wallet = createWallet(chromePlatform)
const ownOrigin = new URL(chrome.runtime.getURL('')).origin

// Content scripts must not read the wallet's storage.
void chrome.storage.local.setAccessLevel({ accessLevel: 'TRUSTED_CONTEXTS' })

chrome.runtime.onConnect.addListener((port) => {
  const { sender } = port
  const { origin, documentId, frameId, tab } = sender ?? {}
  const isPage = sender?.id === chrome.runtime.id && frameId === 0 && tab?.id !== undefined
  if (
    !isPage ||
    documentId === undefined ||
    origin === undefined ||
    origin === 'null' ||
    origin === ownOrigin
  )
    return port.disconnect()
  const page = wallet.connectPage({ tabId: tab.id ?? -1, documentId, origin }, (message) => {
    try {
      port.postMessage(message)
    } catch {
      // The page is gone.
    }
  })
  port.onMessage.addListener((message: unknown) => void page.receive(message))
  port.onDisconnect.addListener(() => void page.close())
})

chrome.runtime.onMessage.addListener((message: unknown, sender, answer) => {
  // Accepts messages only from the extension's own windows. A content script has the origin of its page.
  if (sender.id !== chrome.runtime.id || sender.origin !== ownOrigin) return false
  void wallet.answerWindow(message).then((text) => answer({ text }))
  return true
})

chrome.windows.onRemoved.addListener((windowId) => void wallet.onWindowClosed(windowId))

chrome.alarms.onAlarm.addListener(() => void wallet.onAlarm())
void chrome.alarms.create('lock', { periodInMinutes: 1 })

chrome.idle.onStateChanged.addListener((state) => {
  if (state !== 'active') void wallet.onIdle()
})
void wallet.lockAfterMinutes().then((minutes) => chrome.idle.setDetectionInterval(minutes * 60))

chrome.runtime.onInstalled.addListener(({ reason }) => {
  if (reason === 'install') void chrome.runtime.openOptionsPage()
})
