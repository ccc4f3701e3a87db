import type { Hex, LocalAccount } from 'viem'

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
  throw new WalletError(4001, 'User rejected the request.')
}

class WalletError extends Error {
  override readonly name = 'WalletError'
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
  }
}

export function createTestWallet(account: LocalAccount, options: { chainId: number }): TestWallet {
  let connected = false
  const wallet: TestWallet = {
    prompts: [],
    beforeSigning: async () => {},
    answer: async (request) => {
      const { method, params = [] } = JSON.parse(request)
      try {
        return JSON.stringify({ result: await run(method, params) })
      } catch (error) {
        const { code = -32603, message } = error as Partial<WalletError> & Error // what `run` throws
        return JSON.stringify({ error: { code, message } })
      }
    },
  }
  async function run(method: string, params: readonly [Hex?, string?]): Promise<unknown> {
    switch (method) {
      case 'eth_requestAccounts':
        connected = true
        return [account.address]
      case 'eth_accounts':
        return connected ? [account.address] : []
      case 'eth_chainId':
        return `0x${options.chainId.toString(16)}`
      case 'eth_signTypedData_v4': {
        const [address, json = ''] = params
        const typedData = JSON.parse(json)
        wallet.prompts.push(typedData.primaryType)
        if (address?.toLowerCase() !== account.address.toLowerCase())
          throw new WalletError(4100, 'This account is not connected.')
        await wallet.beforeSigning()
        return account.signTypedData(typedData)
      }
      default:
        throw new WalletError(4200, `The method ${method} is not known.`)
    }
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
