import type { EvmSigner } from 'redeemkit/evm'

/** An EIP-1193 wallet of the browser. */
export type Wallet = { name: string; provider: Provider }

type Provider = Extract<EvmSigner, { request: unknown }> & {
  request(request: { method: string; params?: readonly unknown[] }): Promise<unknown>
  on?(event: string, listener: () => void): void
}

declare global {
  interface Window {
    ethereum?: Provider
  }
  interface WindowEventMap {
    'eip6963:announceProvider': CustomEvent<{ info: { uuid: string; name: string }; provider: Provider }>
  }
}

/** Reports every wallet that announces itself (EIP-6963), or `window.ethereum` if none does. */
export function findWallets(onWallet: (wallet: Wallet) => void): void {
  const known = new Set<string>()
  window.addEventListener('eip6963:announceProvider', ({ detail: { info, provider } }) => {
    if (known.has(info.uuid)) return
    known.add(info.uuid)
    onWallet({ name: info.name, provider })
  })
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  // Announcements arrive synchronously.
  if (known.size === 0 && window.ethereum !== undefined)
    onWallet({ name: 'browser wallet', provider: window.ethereum })
}

/** Opens a prompt only if `ask` is true. */
export async function accountOf(
  { provider }: Wallet,
  { ask }: { ask: boolean },
): Promise<string | undefined> {
  const accounts = await provider.request({ method: ask ? 'eth_requestAccounts' : 'eth_accounts' })
  const [first] = Array.isArray(accounts) ? accounts : []
  return typeof first === 'string' ? first : undefined
}
