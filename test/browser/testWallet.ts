import type { Hex, LocalAccount } from 'viem'
import { fakeWallet } from '../../src/sandbox/testing/wallet/fakeWallet.ts'

/** For a page's `window.ethereum`. The key never enters the browser. */
export type TestWallet = {
  readonly address: Hex
  /** Primary types of the signed typed data, in order. */
  prompts: string[]
  requests: { method: string; params: unknown[] }[]
  /** All requested methods, in order. */
  asked: string[]
  /** Awaited before each signature. If it throws, the wallet rejects with that error. */
  beforeSigning: () => Promise<void>
  /** Responses that replace the wallet's own, by method. If one throws, the wallet rejects with that error. */
  instead: Record<string, (honest: () => Promise<unknown>) => unknown>
  /** Open requests still use the previous account. */
  choose: (account: LocalAccount) => Promise<void>
  /** EIP-1193 JSON: `{ result }` or `{ error: { code, message } }`. */
  answer: (request: string) => Promise<string>
}

/** EIP-1193: 4001 is a rejection by the user. */
export const refuse = async (): Promise<void> => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

export function createTestWallet(
  account: LocalAccount,
  options: Pick<fakeWallet.Options, 'connected' | 'client' | 'smartAccount' | 'takesIntent'> & {
    chainId: number
    onEvent?: (event: string, value: unknown) => void
  },
): TestWallet {
  const { chainId, connected = false, client, smartAccount, takesIntent, onEvent } = options
  const make = (of: fakeWallet.Options) => {
    const made = fakeWallet({ client, takesIntent, ...of })
    for (const event of ['accountsChanged', 'chainChanged'])
      made.on(event, (value: unknown) => onEvent?.(event, value))
    return made
  }
  let fake = make({ account, chainId, connected, smartAccount })
  const wallet: TestWallet = {
    get address() {
      return fake.address
    },
    prompts: [],
    requests: [],
    asked: [],
    beforeSigning: async () => {},
    instead: {},
    choose: async (chosen) => {
      const standsOn = Number(await fake.request({ method: 'eth_chainId' }))
      fake = make({ account: chosen, chainId: standsOn, connected: true })
      onEvent?.('accountsChanged', [chosen.address])
    },
    answer: async (text) => {
      const request = JSON.parse(text)
      const { method, params } = request
      const asked = fake
      wallet.asked.push(method)
      try {
        if (method === 'eth_signTypedData_v4') {
          wallet.prompts.push(JSON.parse(params[1]).primaryType)
          wallet.requests.push(request)
          await wallet.beforeSigning()
        }
        const honest = () => asked.request(request)
        return JSON.stringify({ result: await (wallet.instead[method] ?? ((own) => own()))(honest) })
      } catch (error) {
        const { code = -32603, message } = error as Error & { code?: number } // wallets throw such errors
        return JSON.stringify({ error: { code, message } })
      }
    },
  }
  return wallet
}

/** Runs before the page's own scripts: `askTestWallet` calls the wallet in Node. */
export const walletScript = `
  window.ethereum = {
    request: async (request) => {
      const { result, error } = JSON.parse(await window.askTestWallet(JSON.stringify(request)))
      if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code })
      return result
    },
    on() {},
  }
`
