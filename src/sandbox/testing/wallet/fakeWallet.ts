import { type Address, type Hex, isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import type { EvmClient } from '../../../redeemkit/evm/client.ts'
import { evmProfiles, userRejection } from './evmProfiles.ts'
import { honestWallet, type SmartAccount, type WalletState } from './honestWallet.ts'
import {
  type EvmWalletProfile,
  findProfile,
  promptUser,
  type UserOptions,
  userKinds,
  type WalletRequest,
} from './walletProfile.ts'

/**
 * Creates an EIP-1193 wallet for tests. The wallet makes real signatures, records its requests, and fails as configured or like a real
 * wallet with a reported defect.
 *
 * The same requests get the same responses. It does not need Node, so a page can use it as `window.ethereum`. In a page, import it from
 * `@redeemkit/sandbox/testing/wallet`, which contains only wallets.
 *
 * @param options.privateKey the key that signs, 32 bytes; or pass `account`, a viem account with a key
 * @param options.chainId chain id of the wallet; pass a different id than the page's to simulate a wrong chain. Default 84532,
 * Base Sepolia
 * @param options.profile one of the names in `walletProfiles` whose family is `evm`
 * @throws InvalidOptionError for a misspelled, missing or mistyped option, or an unknown profile
 *
 * Source: EIP-1193, EIP-6963.
 * @example
 * ```ts
 * import { fakeWallet } from '@redeemkit/sandbox/testing'
 * const wallet = fakeWallet({ privateKey: `0x${'01'.repeat(32)}`, chainId: 84532, rejects: 'second' })
 * await wallet.request({ method: 'eth_accounts' })
 * wallet.prompts.length // 0
 * ```
 */
export function fakeWallet(options: fakeWallet.Options): FakeWallet {
  const key = readKey(checkOptions<fakeWallet.Options>(options, optionKinds))
  const profile: EvmWalletProfile | undefined = findProfile(evmProfiles, options.profile)
  const { chainId = 84532, connected = true, smartAccount, client, takesIntent = false } = options
  const address = smartAccount && 'address' in smartAccount ? smartAccount.address : key.address
  const asked: WalletRequest[] = []
  const prompts: WalletRequest[] = []
  const listeners = new Map<string, Set<Listener>>()
  const state: WalletState = { chainId, connected: connected && options.locked !== true }
  const answer = honestWallet({
    key: options.wrongSignature === true ? anotherKey(key) : key,
    address,
    smartAccount,
    client,
    state,
    takesIntent,
    emit: (event, value) => {
      // Each event has listeners with its own parameter type.
      for (const listener of listeners.get(event) ?? []) (listener as (value: unknown) => void)(value)
    },
  })
  let signatures = 0

  const wallet: FakeWallet = {
    request: async (request) => {
      const { method } = request
      asked.push(request)
      const isSignature = signatureMethods.includes(method)
      const signature = isSignature ? ++signatures : 0
      if (isSignature || isPrompt(method, state)) prompts.push(request)
      if (options.locked === true && method === 'eth_requestAccounts') throw userRejection()
      if (isSignature && state.connected) await promptUser(options, signature, userRejection())
      const honest = (other = request) => answer(other)
      return profile === undefined ? honest() : profile.play(request, honest, signature)
    },
    on: (event, listener) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      return wallet
    },
    removeListener: (event, listener) => {
      listeners.get(event)?.delete(listener)
      return wallet
    },
    address,
    asked,
    prompts,
    info: { ...unnamed, ...(profile && { name: profile.wallet }), ...options.info },
  }
  return wallet
}

export declare namespace fakeWallet {
  type Options = {
    /** Chain id of the wallet. Default 84532. */
    chainId?: number | undefined
    /** Node that handles read methods. Default: none; read methods then fail with code 4200. */
    client?: EvmClient | undefined
    /** Name of a known defect of a real wallet. */
    profile?: EvmProfileName | undefined
    /** Whether the wallet signs with a different key. */
    wrongSignature?: boolean | undefined
    /** Whether the wallet exposes no account, and rejects signature requests with code 4100. */
    locked?: boolean | undefined
    /** Whether the page is already connected. Default true. If false, `eth_requestAccounts` connects it. */
    connected?: boolean | undefined
    /** Makes the account a contract that the key owns. Default: an externally owned account. */
    smartAccount?: SmartAccount | undefined
    /**
     * Whether the wallet announces that a request may contain the purchase of a redeem (PROTOCOL.md 4.7). Default false: it then rejects
     * a third parameter.
     */
    takesIntent?: boolean | undefined
    /** EIP-6963 provider information. */
    info?: Partial<WalletInfo> | undefined
  } & UserOptions &
    ({ privateKey: Hex; account?: undefined } | { account: LocalAccount; privateKey?: undefined })
  type ReturnType = FakeWallet
  type ErrorType = checkOptions.ErrorType
}

/** Names of the profiles of {@link fakeWallet}. */
export type EvmProfileName = (typeof evmProfiles)[number]['name']

/** EIP-6963 provider information of a wallet. */
export type WalletInfo = { uuid: string; name: string; icon: string; rdns: string }

/** An EIP-1193 provider that records its requests. */
export type FakeWallet = {
  request: (request: WalletRequest) => Promise<unknown>
  on: (event: string, listener: Listener) => FakeWallet
  removeListener: (event: string, listener: Listener) => FakeWallet
  /** The account that the wallet exposes. */
  readonly address: Address
  /** All requests, in order. */
  readonly asked: readonly WalletRequest[]
  /** The requests that prompt the user: signatures, connecting and switching chains. */
  readonly prompts: readonly WalletRequest[]
  readonly info: WalletInfo
}

type Listener = (...values: never[]) => void

const optionKinds = {
  account: 'object?',
  privateKey: 'string?',
  chainId: 'number?',
  client: 'object?',
  profile: 'any',
  ...userKinds,
  wrongSignature: 'boolean?',
  locked: 'boolean?',
  connected: 'boolean?',
  smartAccount: 'object?',
  takesIntent: 'boolean?',
  info: 'object?',
} as const

const signatureMethods = ['personal_sign', 'eth_signTypedData_v4']

const unnamed: WalletInfo = {
  uuid: '00000000-0000-4000-8000-000000000000',
  name: 'Fake Wallet',
  icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
  rdns: 'test.redeemkit.fake',
}

function isPrompt(method: string, { connected }: WalletState): boolean {
  return method === 'wallet_switchEthereumChain' || (method === 'eth_requestAccounts' && !connected)
}

function readKey({ account, privateKey }: fakeWallet.Options): LocalAccount {
  if (account !== undefined && privateKey === undefined) return account
  if (account === undefined && isHex(privateKey) && privateKey.length === 66)
    return privateKeyToAccount(privateKey)
  throw new InvalidOptionError('A fake wallet needs exactly one key.', {
    field: 'privateKey',
    fix: 'Pass privateKey, 32 bytes as 0x-hex, or account, a viem account with a key.',
  })
}

function anotherKey({ address }: LocalAccount): LocalAccount {
  const one = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  return one.address === address ? privateKeyToAccount(`0x${'22'.repeat(32)}`) : one
}
