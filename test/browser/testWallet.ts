import type { Hex, LocalAccount } from 'viem'
import { fakeWallet } from '../../src/sandbox/testing/wallet/fakeWallet.ts'

/** What a page's `window.ethereum` asks: an EIP-1193 wallet whose key never enters the browser. */
export type TestWallet = {
  /** The account that it shows. */
  readonly address: Hex
  /** What it was asked to sign, in order: the primary type of each typed data. */
  prompts: string[]
  /** Every method that it was asked, in order. */
  asked: string[]
  /** Waited for before it signs. Default: at once. What it throws is the wallet's answer. */
  beforeSigning: () => Promise<void>
  /** What it answers in the place of its honest answer, by method. What is thrown is the wallet's answer. */
  instead: Record<string, (honest: () => Promise<unknown>) => unknown>
  /** Its owner chooses another account. What is asked already is signed by the one before. */
  choose: (account: LocalAccount) => Promise<void>
  /** Answers as EIP-1193 says, as JSON: `{ result }` or `{ error: { code, message } }`. */
  answer: (request: string) => Promise<string>
}

/** A person's no, as EIP-1193 numbers it. */
export const refuse = async (): Promise<void> => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

/** @param options.onEvent told of its events: the page of an extension hears them */
export function createTestWallet(
  account: LocalAccount,
  options: Pick<fakeWallet.Options, 'connected' | 'client' | 'smartAccount'> & {
    chainId: number
    onEvent?: (event: string, value: unknown) => void
  },
): TestWallet {
  const { chainId, connected = false, client, smartAccount, onEvent } = options
  const make = (of: fakeWallet.Options) => {
    const made = fakeWallet({ client, ...of })
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
          await wallet.beforeSigning()
        }
        const honest = () => asked.request(request)
        return JSON.stringify({ result: await (wallet.instead[method] ?? ((own) => own()))(honest) })
      } catch (error) {
        const { code = -32603, message } = error as Error & { code?: number } // what wallets throw
        return JSON.stringify({ error: { code, message } })
      }
    },
  }
  return wallet
}

/** Runs in the page, before its own scripts: `askTestWallet` reaches the wallet in Node. */
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
