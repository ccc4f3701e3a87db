import { type Address, type Hex, isHex, type LocalAccount } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { checkOptions } from '../../../redeemkit/core/checkOptions.ts'
import { InvalidOptionError } from '../../../redeemkit/core/errors/inputErrors.ts'
import type { EvmClient } from '../../../redeemkit/evm/client/evmClient.ts'
import { evmProfiles } from './evmProfiles.ts'
import { honestWallet, type SmartAccount, type WalletState } from './honestWallet.ts'
import {
  askPerson,
  type EvmWalletProfile,
  findProfile,
  type PersonOptions,
  personKinds,
  type WalletRequest,
  walletError,
} from './walletProfile.ts'

/**
 * An EIP-1193 wallet for tests: it signs for real, keeps what it is asked, and fails in the ways that it is told to, or in
 * one that a real wallet was reported for.
 *
 * The same requests get the same answers. It needs nothing of Node, so that a page may have it as `window.ethereum`: there it
 * comes from `@redeemkit/sandbox/testing/wallet`, which has nothing but wallets.
 *
 * @param options.privateKey the key that signs, 32 bytes; or `account`, a viem account that holds one
 * @param options.chainId the chain that it stands on: another one than the page's makes it a wallet on the wrong chain.
 * Default 84532, Base Sepolia
 * @param options.profile one of the names in `walletProfiles` whose family is `evm`
 * @throws InvalidOptionError for an option that is misspelt, missing or of another type, and for an unknown profile
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
  const { chainId = 84532, connected = true, smartAccount, client } = options
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
    emit: (event, value) => {
      // what a listener takes is the matter of whoever listens
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
      if (options.locked === true && method === 'eth_requestAccounts') throw userNo()
      if (isSignature && state.connected) await askPerson(options, signature, userNo())
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
    /** Of the chain that the wallet stands on. Default 84532. */
    chainId?: number | undefined
    /** The node behind the wallet, for what only reads the chain. Without one that is refused with 4200. */
    client?: EvmClient | undefined
    /** A misbehaviour of a real wallet, by its name. */
    profile?: EvmProfileName | undefined
    /** Signs with another key. */
    wrongSignature?: boolean | undefined
    /** Shows no account, and answers requests for signatures with 4100. */
    locked?: boolean | undefined
    /** Whether the page has been let in already. Default true; else `eth_requestAccounts` lets it in. */
    connected?: boolean | undefined
    /** The account is a contract, and the key its owner. Default: the key's own account. */
    smartAccount?: SmartAccount | undefined
    /** What an EIP-6963 announcement says of it. */
    info?: Partial<WalletInfo> | undefined
  } & PersonOptions &
    ({ privateKey: Hex; account?: undefined } | { account: LocalAccount; privateKey?: undefined })
  type ReturnType = FakeWallet
  type ErrorType = checkOptions.ErrorType
}

/** The names of the profiles that {@link fakeWallet} plays. */
export type EvmProfileName = (typeof evmProfiles)[number]['name']

/** EIP-6963: who a wallet says that it is. */
export type WalletInfo = { uuid: string; name: string; icon: string; rdns: string }

/** An EIP-1193 provider, and what it was asked. */
export type FakeWallet = {
  request: (request: WalletRequest) => Promise<unknown>
  on: (event: string, listener: Listener) => FakeWallet
  removeListener: (event: string, listener: Listener) => FakeWallet
  /** The account that it shows. */
  readonly address: Address
  /** Everything that it was asked, in order. */
  readonly asked: readonly WalletRequest[]
  /** Of that, what a person is shown: signatures, connecting, another chain. */
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
  ...personKinds,
  wrongSignature: 'boolean?',
  locked: 'boolean?',
  connected: 'boolean?',
  smartAccount: 'object?',
  info: 'object?',
} as const

const signatureMethods = ['personal_sign', 'eth_signTypedData_v4']

const unnamed: WalletInfo = {
  uuid: '00000000-0000-4000-8000-000000000000',
  name: 'Fake Wallet',
  icon: "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>",
  rdns: 'test.redeemkit.fake',
}

/** Whether a person is shown something, besides signatures. */
function isPrompt(method: string, { connected }: WalletState): boolean {
  return method === 'wallet_switchEthereumChain' || (method === 'eth_requestAccounts' && !connected)
}

const userNo = () => walletError(4001, 'User rejected the request.')

function readKey({ account, privateKey }: fakeWallet.Options): LocalAccount {
  if (account !== undefined && privateKey === undefined) return account
  if (account === undefined && isHex(privateKey) && privateKey.length === 66)
    return privateKeyToAccount(privateKey)
  throw new InvalidOptionError('A fake wallet signs with one key.', {
    field: 'privateKey',
    fix: 'Give privateKey, 32 bytes as 0x-hex, or account, a viem account that holds a key.',
  })
}

/** A key that is not the wallet's, the same each time. */
function anotherKey({ address }: LocalAccount): LocalAccount {
  const one = privateKeyToAccount(`0x${'11'.repeat(32)}`)
  return one.address === address ? privateKeyToAccount(`0x${'22'.repeat(32)}`) : one
}
