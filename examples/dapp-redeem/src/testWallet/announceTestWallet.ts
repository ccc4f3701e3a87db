import './askInWindow.css'
import { fakeWallet } from '@redeemkit/sandbox/testing/wallet'

/** A demo wallet (EIP-6963) for visitors without a wallet. Its key is public and worth nothing outside this machine. */
export function announceTestWallet({
  privateKey,
  chainId,
}: {
  privateKey: `0x${string}`
  chainId: number
}): void {
  const wallet = fakeWallet({
    privateKey,
    chainId,
    connected: localStorage.getItem(connectedKey) !== null,
    info: {
      uuid: 'b1f0c6e2-6f0e-4d3c-9a51-6c0d4f1b7a11',
      name: 'Test wallet',
      rdns: 'shop.lampfall.test-wallet',
      icon: `data:image/svg+xml,${encodeURIComponent(icon)}`,
    },
  })
  let isConnected = localStorage.getItem(connectedKey) !== null
  const provider = {
    on: wallet.on,
    removeListener: wallet.removeListener,
    request: async (request: { method: string; params?: readonly unknown[] | object }) => {
      if (request.method === 'wallet_revokePermissions') {
        localStorage.removeItem(connectedKey)
        isConnected = false
        return null
      }
      const question =
        isConnected && request.method === 'eth_requestAccounts' ? undefined : questions[request.method]
      if (question !== undefined && !(await askInWindow({ ...question, detail: detailOf(request) })))
        throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
      const answer = await wallet.request(request)
      if (request.method === 'eth_requestAccounts') {
        localStorage.setItem(connectedKey, 'yes')
        isConnected = true
      }
      return answer
    },
  }
  const announce = () =>
    window.dispatchEvent(
      new CustomEvent('eip6963:announceProvider', {
        detail: Object.freeze({ info: Object.freeze({ ...wallet.info }), provider }),
      }),
    )
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}

const connectedKey = 'lampfall-test-wallet'

/** Prompts by method. Other methods have no prompt. */
const questions: Record<string, { title: string; yes: string }> = {
  eth_requestAccounts: { title: 'Connect to Lampfall?', yes: 'Connect' },
  wallet_switchEthereumChain: { title: 'Switch to Lampfall’s network?', yes: 'Switch' },
  personal_sign: { title: 'Sign in to Lampfall?', yes: 'Sign' },
  eth_signTypedData_v4: { title: 'Sign this?', yes: 'Sign' },
}

function detailOf({ method, params }: { method: string; params?: readonly unknown[] | object }): string {
  const [first, second] = Array.isArray(params) ? params : []
  if (method === 'personal_sign') return textOf(String(first))
  if (method !== 'eth_signTypedData_v4') return ''
  const { primaryType, message } = JSON.parse(String(second))
  return `${primaryType}\n${JSON.stringify(message, undefined, 1).replace(/[{}"]/g, '').trim()}`
}

function textOf(hex: string): string {
  const pairs = /^0x((?:[0-9a-f]{2})*)$/i.exec(hex)?.[1]?.match(/../g)
  return pairs === undefined
    ? hex
    : new TextDecoder().decode(Uint8Array.from(pairs ?? [], (pair) => Number.parseInt(pair, 16)))
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#dcd8f5"/><path d="M8 11h16v12H8z" fill="none" stroke="#4635b1" stroke-width="2" stroke-dasharray="3 2"/><circle cx="20" cy="17" r="2" fill="#4635b1"/></svg>`

/** Closing the prompt rejects. Rendered outside the shop's React tree, like a real wallet. */
function askInWindow(options: { title: string; yes: string; detail: string }): Promise<boolean> {
  const { title, yes, detail } = options
  const dialog = document.createElement('dialog')
  dialog.className = 'test-wallet'
  dialog.setAttribute('aria-labelledby', 'test-wallet-title')
  const add = <tag extends keyof HTMLElementTagNameMap>(tag: tag, text: string, to: HTMLElement = dialog) => {
    const made = document.createElement(tag)
    made.textContent = text
    to.append(made)
    return made
  }
  add('p', 'Test wallet · no real money').className = 'test-wallet-label'
  add('h2', title).id = 'test-wallet-title'
  if (detail !== '') {
    const shown = add('pre', detail)
    shown.tabIndex = 0
    shown.setAttribute('aria-label', 'What is signed')
  }
  const buttons = document.createElement('div')
  buttons.className = 'test-wallet-buttons'
  const no = add('button', 'Reject', buttons)
  const agree = add('button', yes, buttons)
  dialog.append(buttons)
  document.body.append(dialog)
  return new Promise((resolve) => {
    const answer = (isYes: boolean) => () => {
      dialog.remove()
      resolve(isYes)
    }
    no.addEventListener('click', answer(false))
    agree.addEventListener('click', answer(true))
    dialog.addEventListener('cancel', answer(false))
    dialog.showModal()
    agree.focus()
  })
}
