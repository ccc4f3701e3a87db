/**
 * Runs in the page, before its own scripts: announces the wallet of `createTestWallet` as an extension does (EIP-6963), with the
 * events of EIP-1193, which `emitFromTestWallet(event, value)` sends.
 */
export const announcedWalletScript = `
  const listeners = new Map()
  const provider = {
    request: async (request) => {
      const { result, error } = JSON.parse(await window.askTestWallet(JSON.stringify(request)))
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return provider
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener)
      return provider
    },
  }
  window.emitFromTestWallet = (event, value) => {
    for (const listener of listeners.get(event) ?? []) listener(value)
  }
  const icon = 'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Crect width="8" height="8" rx="2" fill="%23357"/%3E%3C/svg%3E'
  const info = { uuid: '3f0c8f0e-2f4d-4a57-9c55-0f4f4ef6f001', name: 'Pocket', icon, rdns: 'com.example.pocket' }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const announce = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
`
