import { type Address, type EIP1193Provider, type Hex, isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkOptions, type OptionKinds } from '../core/checkOptions.ts'
import { rpcError } from './blocks.ts'
import type { MockChain, MockRequest } from './createMockChain.ts'
import { withoutUndefined } from './mockWorld.ts'

/** The first private key of development chains (Anvil, Hardhat). Publicly known. */
const mockKey: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
export const mockWalletAddress: Address = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'
/** The second key, for a customer who switched accounts. */
const otherMockKey: Hex = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d'

/**
 * Creates a wallet for tests and stories of a page: an EIP-1193 provider that really signs, with a publicly known key, and
 * answers each prompt as configured.
 *
 * Use it as `window.ethereum`, as a `signer` of redeemkit, or as the provider of wagmi's `injected` connector. Never send
 * anything of value to its account.
 *
 * @param options how the customer answers. `change` changes each setting later
 * @throws InvalidOptionError for an unknown option or one of the wrong type
 *
 * Source: EIP-1193.
 * @example
 * ```ts
 * import { createMockWallet } from 'redeemkit/mock'
 * const wallet = createMockWallet({ prompts: ['approve', 'reject'] })
 * await wallet.request({ method: 'eth_accounts' })
 * wallet.prompts.length // 0: no prompt was shown yet
 * ```
 */
export function createMockWallet(options: createMockWallet.Options = {}): MockWallet {
  const { privateKey = mockKey, chain, ...given } = checkOptions(options, optionKinds)
  const own = privateKeyToAccount(privateKey)
  const other = privateKeyToAccount(privateKey === otherMockKey ? mockKey : otherMockKey)
  let settings: WalletSettings = { ...defaults, ...withoutUndefined(given) }
  const prompts: MockRequest[] = []
  const listeners = new Map<string, Set<Listener>>()
  const shown = (): LocalAccount => (settings.otherAccount ? other : own)
  const accounts = (): Address[] => (settings.connected && !settings.locked ? [shown().address] : [])
  const emit = (event: string, value: unknown) => {
    // each listener knows the type of its event
    for (const listener of [...(listeners.get(event) ?? [])]) (listener as (value: unknown) => void)(value)
  }
  const change = (changes: MockWalletChanges) => {
    const before = { accounts: accounts(), chainId: settings.chainId }
    settings = { ...settings, ...withoutUndefined(checkOptions(changes, settingKinds)) }
    if (before.accounts[0] !== accounts()[0]) emit('accountsChanged', accounts())
    if (before.chainId !== settings.chainId) emit('chainChanged', toHex(settings.chainId))
  }
  /** Shows a prompt. Returns if it is approved, throws if it is rejected, and waits forever if it is left open. */
  const ask = async (request: MockRequest, answer: MockPrompt): Promise<void> => {
    prompts.push(request)
    const { answersAfterMs } = settings
    if (answersAfterMs > 0) await new Promise((resolve) => setTimeout(resolve, answersAfterMs))
    if (answer === 'hang') await new Promise(() => {})
    if (answer === 'reject') throw rpcError(4001, 'User rejected the request.')
    if (answer === 'pending') throw rpcError(-32002, 'A request is already pending in the wallet.')
  }
  let asked = 0
  const nextPrompt = (): MockPrompt => {
    const { prompts: configured } = settings
    return typeof configured === 'string' ? configured : (configured[asked++] ?? 'approve')
  }

  const answers: Readonly<Record<string, (request: MockRequest, params: readonly unknown[]) => unknown>> = {
    eth_accounts: () => accounts(),
    eth_chainId: () => toHex(settings.chainId),
    net_version: () => `${settings.chainId}`,
    eth_requestAccounts: async (request) => {
      if (settings.locked) throw rpcError(4001, 'User rejected the request.')
      if (!settings.connected) prompts.push(request)
      change({ connected: true })
      return accounts()
    },
    wallet_requestPermissions: async (request) => {
      prompts.push(request)
      change({ connected: true })
      return [
        {
          parentCapability: 'eth_accounts',
          caveats: [{ type: 'restrictReturnedAccounts', value: accounts() }],
        },
      ]
    },
    wallet_getPermissions: () => (accounts().length > 0 ? [{ parentCapability: 'eth_accounts' }] : []),
    wallet_revokePermissions: () => {
      change({ connected: false })
      return null
    },
    wallet_getCapabilities: () =>
      settings.takesIntent ? { '0x0': { redeemIntent: { supported: true, version: 1 } } } : {},
    eth_sendTransaction: async (request) => {
      if (chain === undefined) throw rpcError(4200, 'The wallet has no chain to send to.')
      await ask(request, nextPrompt())
      return chain.request(request)
    },
    wallet_switchEthereumChain: async (request, [target]) => {
      await ask(request, settings.switchPrompt)
      change({ chainId: Number(Object(target).chainId) })
      return null
    },
  }

  const wallet: MockWallet = {
    request: async (request) => {
      const params = Array.isArray(request.params) ? request.params : []
      const answer = answers[request.method]
      if (answer !== undefined) return answer(request, params)
      const sign = signFor(request.method)
      if (sign !== undefined) {
        if (accounts().length === 0) throw rpcError(4100, 'The requested account has not been authorized.')
        if (params.length > 2 && !settings.takesIntent)
          throw rpcError(-32602, `${request.method} takes two parameters.`)
        await ask(request, nextPrompt())
        return sign(shown(), params)
      }
      // read requests go to the node behind the wallet
      if (chain !== undefined && /^eth_(?:get|call|block|gas)/.test(request.method))
        return chain.request(request)
      throw rpcError(4200, `The wallet does not support ${request.method}.`)
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return wallet
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
      return wallet
    },
    get address() {
      return shown().address
    },
    // The same object with viem's and wagmi's type, which is stricter about results.
    get provider() {
      return wallet as unknown as EIP1193Provider
    },
    prompts,
    change,
  }
  return wallet
}

export declare namespace createMockWallet {
  type Options = MockWalletChanges & {
    /** The key that signs. Default: the first of every development chain. */
    privateKey?: Hex | undefined
    /** The node behind the wallet, for read requests: the `chain` of `createMockService`. Without a node, the wallet rejects them. */
    chain?: MockChain | undefined
  }
  type ReturnType = MockWallet
  type ErrorType = checkOptions.ErrorType
}

/** The answer to a prompt: approve, reject, leave open, or fail because another prompt is pending. */
export type MockPrompt = 'approve' | 'reject' | 'hang' | 'pending'

/** Settings that can change while the wallet is used. `undefined` keeps the current value. */
export type MockWalletChanges = {
  /** One answer for every signature or transaction prompt, or one answer per prompt, followed by `approve`. Default `approve`. */
  prompts?: MockPrompt | readonly MockPrompt[] | undefined
  /** The wallet's chain. Default 84532, Base Sepolia. */
  chainId?: number | undefined
  /** Whether the page is already connected. Default true. */
  connected?: boolean | undefined
  /** The wallet is locked and shows no account. Default false. */
  locked?: boolean | undefined
  /** The customer has switched to another account. Default false. */
  otherAccount?: boolean | undefined
  /** The answer to a network switch. Default `approve`. */
  switchPrompt?: MockPrompt | undefined
  /** The wallet accepts the purchase as the third parameter of a signing request (PROTOCOL.md 4.7). Default false: rejected. */
  takesIntent?: boolean | undefined
  /** How long each answer takes, in milliseconds. Default 0. */
  answersAfterMs?: number | undefined
}

type WalletSettings = { [name in keyof MockWalletChanges]-?: Exclude<MockWalletChanges[name], undefined> }

const defaults: WalletSettings = {
  prompts: 'approve',
  chainId: 84532,
  connected: true,
  locked: false,
  otherAccount: false,
  switchPrompt: 'approve',
  takesIntent: false,
  answersAfterMs: 0,
}

/** An EIP-1193 provider, with the prompts that it has shown. */
export type MockWallet = {
  readonly request: (request: MockRequest) => Promise<unknown>
  readonly on: (event: string, listener: Listener) => MockWallet
  readonly removeListener: (event: string, listener: Listener) => MockWallet
  /** The same wallet with viem's and wagmi's type, for the `provider` of an `injected` connector. */
  readonly provider: EIP1193Provider
  /** The selected account. */
  readonly address: Address
  /** All prompts so far: signatures, network switches, connections. */
  readonly prompts: readonly MockRequest[]
  /** Changes the settings, and notifies listeners as a wallet does. */
  readonly change: (changes: MockWalletChanges) => void
}

type Listener = (...values: never[]) => void

const settingKinds: OptionKinds<MockWalletChanges> = {
  prompts: 'any',
  chainId: 'number?',
  connected: 'boolean?',
  locked: 'boolean?',
  otherAccount: 'boolean?',
  switchPrompt: 'string?',
  takesIntent: 'boolean?',
  answersAfterMs: 'number?',
}

const optionKinds: OptionKinds<createMockWallet.Options> = {
  ...settingKinds,
  privateKey: 'string?',
  chain: 'object?',
}

const toHex = (value: number): Hex => `0x${value.toString(16)}`

/** `undefined` if the method signs nothing. */
function signFor(
  method: string,
): ((account: LocalAccount, params: readonly unknown[]) => Promise<Hex>) | undefined {
  if (method === 'personal_sign')
    return (account, [message]) =>
      account.signMessage({ message: isHex(message) ? { raw: message } : String(message) })
  if (method === 'eth_signTypedData_v4')
    return (account, [, typedData]) => account.signTypedData(JSON.parse(String(typedData)))
  return undefined
}
