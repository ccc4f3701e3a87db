import type { LocalAccount } from 'viem'
import { fakeWallet } from '../../src/testing/wallet/fakeWallet.ts'

/** What a page's `window.ethereum` asks: an EIP-1193 wallet whose key never enters the browser. */
export type TestWallet = {
  /** What it was asked to sign, in order: the primary type of each typed data. */
  prompts: string[]
  /** Waited for before it signs. Default: at once. What it throws is the wallet's answer. */
  beforeSigning: () => Promise<void>
  /** Answers as EIP-1193 says, as JSON: `{ result }` or `{ error: { code, message } }`. */
  answer: (request: string) => Promise<string>
}

/** A person's no, as EIP-1193 numbers it. */
export const refuse = async (): Promise<void> => {
  throw Object.assign(new Error('User rejected the request.'), { code: 4001 })
}

export function createTestWallet(account: LocalAccount, { chainId }: { chainId: number }): TestWallet {
  const fake = fakeWallet({ account, chainId, connected: false })
  const wallet: TestWallet = {
    prompts: [],
    beforeSigning: async () => {},
    answer: async (text) => {
      const request = JSON.parse(text)
      try {
        if (request.method === 'eth_signTypedData_v4') {
          wallet.prompts.push(JSON.parse(request.params[1]).primaryType)
          await wallet.beforeSigning()
        }
        return JSON.stringify({ result: await fake.request(request) })
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
