import { encodeAbiParameters, type Hex, numberToHex, serializeErc6492Signature, stringToHex } from 'viem'
import { type EvmPlay, type EvmWalletProfile, type WalletRequest, walletError } from './walletProfile.ts'

const typedData = /^eth_signTypedData_v4$/
const text = /^personal_sign$/
const signatures = /^(?:personal_sign|eth_signTypedData_v4)$/

const failsAt =
  (methods: RegExp, error: () => unknown): EvmPlay =>
  async (request, honest) => {
    if (!methods.test(request.method)) return honest()
    throw error()
  }

const failsWith = (methods: RegExp, code: number | undefined, message: string): EvmPlay =>
  failsAt(methods, () => walletError(code, message))

const changes =
  <answer>(methods: RegExp, change: (answer: answer) => unknown): EvmPlay =>
  async (request, honest) => {
    if (!methods.test(request.method)) return honest()
    // Each profile names the result type of its methods.
    return change((await honest()) as answer)
  }

const silentAt =
  (methods: RegExp): EvmPlay =>
  (request, honest) =>
    methods.test(request.method) ? new Promise(() => {}) : honest()

/** Rejects some typed data. `complaint` returns the error, or undefined if the wallet signs. */
const picky =
  (complaint: (typedData: TypedData) => Error | undefined): EvmPlay =>
  async (request, honest) => {
    const error = typedData.test(request.method) ? complaint(typedDataOf(request)) : undefined
    if (error !== undefined) throw error
    return honest()
  }

type TypedData = {
  domain: Record<string, unknown>
  types: Record<string, readonly { name: string; type: string }[]>
  primaryType: string
  message: Record<string, unknown>
}

/** Returns the two parameters of a signature request, which are both text. For typed data, the second is JSON. */
const textsOf = ({ params }: WalletRequest) => params as readonly [string, string]
const typedDataOf = (request: WalletRequest): TypedData => JSON.parse(textsOf(request)[1])

export const userRejection = () => walletError(4001, 'User rejected the request.')
const curveOrder = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** Known defects of EVM wallets, with their public reports. */
export const evmProfiles = [
  {
    name: 'metamask-rejection-as-internal-error',
    wallet: 'MetaMask',
    reported: 'https://github.com/MetaMask/metamask-extension/issues/19025',
    what: 'A rejected signature has code -32603 instead of 4001.',
    play: failsWith(signatures, -32603, 'MetaMask Message Signature: User denied message signature.'),
  },
  {
    name: 'metamask-rejection-in-stack',
    wallet: 'MetaMask 7.1',
    reported: 'https://github.com/MetaMask/metamask-extension/issues/7160',
    what: 'A rejection looks like a node failure; only the stack says that the user rejected the request.',
    play: failsAt(signatures, () =>
      walletError(-32603, 'Internal JSON-RPC error.', {
        stack: 'Error: MetaMask Tx Signature: User denied transaction signature.\n    at x (inpage.js:1:1)',
      }),
    ),
  },
  {
    name: 'metamask-mobile-rejection-as-empty-object',
    wallet: 'MetaMask Mobile',
    reported: 'https://github.com/MetaMask/metamask-mobile/issues/1314',
    what: 'A rejection throws an empty object.',
    play: failsAt(signatures, () => ({})),
  },
  {
    name: 'walletconnect-rejection-as-text',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/sherlock-protocol/sherlock-v2-frontend/pull/59',
    what: 'A rejection throws a string instead of an error with a code.',
    play: failsAt(signatures, () => 'User rejected the request'),
  },
  {
    name: 'walletconnect-rejection-as-5002',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/antonio-fr/pyWalletConnect/issues/16',
    what: 'A rejection has the WalletConnect code 5002 instead of the EIP-1193 code.',
    play: failsWith(signatures, 5002, 'User rejected methods.'),
  },
  {
    name: 'vultisig-rejection-as-one-word',
    wallet: 'Vultisig',
    reported: 'https://github.com/vultisig/vultisig-windows/issues/3928',
    what: 'A rejection throws a one-word string instead of an error with a code.',
    play: failsAt(signatures, () => 'rejectedByUser'),
  },
  {
    name: 'rainbow-rejection-as-null',
    wallet: 'Rainbow',
    reported: 'https://github.com/rainbow-me/rainbow/issues/5504',
    what: 'A rejection resolves with null.',
    play: changes(signatures, () => null),
  },
  {
    name: 'rabby-rejects-second-prompt',
    wallet: 'Rabby',
    reported: 'https://github.com/RabbyHub/Rabby/issues/2146',
    what: 'A request directly after a signature is never shown, but reported as rejected by the user.',
    play: async (_request, honest, signature) => {
      if (signature > 1) throw userRejection()
      return honest()
    },
  },
  {
    name: 'rabby-rejection-instead-of-signature',
    wallet: 'Rabby',
    reported: 'https://github.com/RabbyHub/Rabby/issues/2315',
    what: 'After a double click it signs, but reports that the user rejected the request.',
    play: async (request, honest) => {
      const answer = await honest()
      if (signatures.test(request.method)) throw userRejection()
      return answer
    },
  },
  {
    name: 'metamask-locked-is-silent',
    wallet: 'MetaMask',
    reported: 'https://github.com/MetaMask/metamask-extension/issues/37059',
    what: 'While locked, it exposes its account and never responds to signature requests.',
    play: silentAt(signatures),
  },
  {
    name: 'safepal-silent-at-v4',
    wallet: 'SafePal',
    reported: 'https://github.com/Uniswap/interface/pull/5862',
    what: 'It never responds to eth_signTypedData_v4.',
    play: silentAt(typedData),
  },
  {
    name: 'bitski-closed-window',
    wallet: 'Bitski',
    reported: 'https://github.com/BitskiCo/bitski-js/issues/475',
    what: 'If the user closes the window of a request, the page never gets a response.',
    play: silentAt(text),
  },
  {
    name: 'safe-approves-on-chain-in-silence',
    wallet: 'Safe behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/5391',
    what: 'A message approved on chain never returns a signature.',
    play: silentAt(signatures),
  },
  {
    name: 'metamask-locked-has-no-accounts',
    wallet: 'MetaMask',
    reported: 'https://github.com/MetaMask/hello/issues/18',
    what: 'While locked, it returns an empty list for eth_accounts.',
    play: changes(/^eth_accounts$/, () => []),
  },
  {
    name: 'metamask-not-authorized',
    wallet: 'MetaMask',
    reported: 'https://github.com/clbrge/svelte-web3/issues/39',
    what: 'It returns code 4100 although the page is connected.',
    play: failsWith(
      signatures,
      4100,
      'The requested account and/or method has not been authorized by the user.',
    ),
  },
  {
    name: 'metamask-other-request-pending',
    wallet: 'MetaMask',
    reported: 'https://github.com/MetaMask/metamask-extension/issues/10085',
    what: 'While the request of a closed window is pending, further requests fail with -32002.',
    play: failsWith(signatures, -32002, 'Already processing eth_requestAccounts. Please wait.'),
  },
  {
    name: 'walletconnect-session-gone',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/3334',
    what: 'The session is gone, and a request fails with a message about a missing key.',
    play: failsWith(signatures, undefined, 'No matching key. session: 0a1b2c'),
  },
  {
    name: 'walletconnect-session-disconnected',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/1192',
    what: 'Directly after connecting, the session is reported as disconnected.',
    play: failsWith(signatures, undefined, 'Session currently disconnected'),
  },
  {
    name: 'walletconnect-not-connected',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/glitch-txs/w3/issues/10',
    what: 'Without a session, a request fails with a message for developers.',
    play: failsWith(signatures, undefined, 'Please call connect() before request()'),
  },
  {
    name: 'metamask-background-gone',
    wallet: 'MetaMask',
    reported: 'https://github.com/MetaMask/extension-provider/issues/22',
    what: 'After an update of the extension, requests fail until the page is reloaded.',
    play: failsWith(
      signatures,
      1011,
      'MetaMask: Disconnected from MetaMask background. Page reload required.',
    ),
  },
  {
    name: 'frame-permission-as-rejection',
    wallet: 'Frame',
    reported: 'https://github.com/ConsenSys-archive/truffle/pull/6071',
    what: 'A page without permission gets the error code of a rejection, although the user was not asked.',
    play: failsWith(signatures, 4001, 'Permission denied, approve localhost:3000 in Frame to continue'),
  },
  {
    name: 'brave-pending-as-rejection',
    wallet: 'Brave Wallet',
    reported: 'https://github.com/brave/brave-core/pull/11459',
    what: 'While another request is pending, a new request gets the error code of a rejection.',
    play: failsWith(signatures, 4001, 'A request is already in progress.'),
  },
  {
    name: 'ledger-busy',
    wallet: 'Ledger',
    reported: 'https://github.com/LedgerHQ/ledgerjs/pull/87',
    what: 'While the device shows another request, a new request fails because the device is busy.',
    play: failsWith(signatures, undefined, 'Ledger Device is busy (lock signMessage)'),
  },
  {
    name: 'rabby-other-account-chosen',
    wallet: 'Rabby',
    reported: 'https://github.com/MetaFam/TheGame/issues/945',
    what: 'It exposes one account, but rejects signatures with it because another one is selected.',
    play: failsWith(signatures, -32602, 'from should be same as current address'),
  },
  {
    name: 'coinbase-window-blocked',
    wallet: 'Coinbase Smart Wallet',
    reported: 'https://github.com/jk-labs-inc/confetti/issues/2896',
    what: 'The browser blocks its popup if the page awaits anything between the click and the request.',
    play: failsWith(signatures, -32603, 'Pop up window failed to open'),
  },
  {
    name: 'metamask-mobile-broken-after-refusals',
    wallet: 'MetaMask Mobile',
    reported: 'https://github.com/MetaMask/metamask-mobile/issues/13120',
    what: 'After several rejections it fails with an internal error.',
    play: failsWith(signatures, -32603, "null is not an object (evaluating 'S.navigate')"),
  },
  {
    name: 'safe-ios-method-disabled',
    wallet: 'Safe for iOS behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/6201',
    what: 'It announces personal_sign, but rejects it as disabled.',
    play: failsWith(text, -32075, 'Method disabled'),
  },
  {
    name: 'trust-unknown-method',
    wallet: 'Trust Wallet behind WalletConnect',
    reported: 'https://github.com/trustwallet/trust-web3-provider/issues/489',
    what: 'It announces eth_signTypedData_v4, but does not support it.',
    play: failsWith(typedData, 5201, 'Unknown method(s) requested'),
  },
  {
    name: 'trust-gives-up',
    wallet: 'Trust Wallet behind WalletConnect',
    reported: 'https://github.com/Uniswap/conedison/pull/19',
    what: 'Typed data on a layer-2 chain fails with an operating system error.',
    play: failsWith(
      typedData,
      -32000,
      'The operation couldn’t be completed. (TrustWalletConnect.WCError error 1.)',
    ),
  },
  {
    name: 'mobile-browser-method-missing',
    wallet: 'MetaMask and Rainbow, opened from a mobile browser',
    reported: 'https://github.com/thirdweb-dev/js/issues/7938',
    what: 'The app opens and shows nothing, and eth_signTypedData_v4 fails as not available.',
    play: failsWith(typedData, -32601, 'the method eth_signTypedData_v4 does not exist/is not available'),
  },
  {
    name: 'farcaster-undefined-capabilities',
    wallet: 'Farcaster',
    reported: 'https://github.com/wilsoncusack/wagmi-scw/issues/33',
    what: 'wallet_getCapabilities returns undefined.',
    play: changes(/^wallet_getCapabilities$/, () => undefined),
  },
  {
    name: 'metamask-capabilities-fail',
    wallet: 'MetaMask',
    reported: 'https://github.com/wevm/viem/issues/3610',
    what: 'wallet_getCapabilities fails without the optional list of chains.',
    play: failsWith(/^wallet_getCapabilities$/, -32603, "Couldn't find networkClientId for chainId"),
  },
  {
    name: 'binance-lower-case-accounts',
    wallet: 'Binance Web3 Wallet',
    reported: 'https://github.com/wevm/wagmi/pull/3890',
    what: 'Accounts are lower case, without checksum.',
    play: changes<Hex[]>(/^eth_accounts$/, (accounts) => accounts.map((account) => account.toLowerCase())),
  },
  {
    name: 'taho-chain-id-as-number',
    wallet: 'Taho',
    reported: 'https://github.com/tahowallet/extension/pull/1247',
    what: 'eth_chainId returns a number instead of a hex string.',
    play: changes<Hex>(/^eth_chainId$/, Number),
  },
  {
    name: 'walletconnect-stale-chain-id',
    wallet: 'wallets behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/2160',
    what: 'eth_chainId returns a different chain than the wallet uses.',
    play: changes<Hex>(/^eth_chainId$/, (chainId) => numberToHex(chainId === '0x89' ? 1 : 137)),
  },
  {
    name: 'metamask-mobile-misreads-chain-id',
    wallet: 'MetaMask Mobile',
    reported: 'https://github.com/MetaMask/metamask-mobile/issues/6484',
    what: 'It misreads its own chain id, and rejects typed data for its chain.',
    play: picky(({ domain }) =>
      walletError(
        -32603,
        `Provided chainId ${String(domain.chainId)} musht match the active chainId 286609681`,
      ),
    ),
  },
  {
    name: 'fireblocks-session-without-chain',
    wallet: 'Fireblocks behind WalletConnect',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/4588',
    what: 'It connects without the page’s chain, and rejects typed data for it.',
    play: picky(({ domain }) =>
      walletError(undefined, `Missing or invalid. request() chainId: eip155:${String(domain.chainId)}`),
    ),
  },
  {
    name: 'metamask-domain-type-left-out',
    wallet: 'MetaMask, and other users of eth-sig-util',
    reported: 'https://github.com/Polymarket/ts-sdk/issues/354',
    what: 'If typed data lacks the type EIP712Domain, it adds an empty one and signs without a domain.',
    play: async (request, honest) => {
      if (!typedData.test(request.method)) return honest()
      const { types, ...rest } = typedDataOf(request)
      const read = JSON.stringify({ ...rest, types: { EIP712Domain: [], ...types } })
      return honest({ method: request.method, params: [textsOf(request)[0], read] })
    },
  },
  {
    name: 'privy-wants-domain-type',
    wallet: 'Privy, on a server',
    reported: 'https://github.com/nktkas/hyperliquid/issues/24',
    what: 'It rejects typed data without the type EIP712Domain.',
    play: picky(({ types }) =>
      types.EIP712Domain === undefined
        ? walletError(undefined, 'EIP712Domain must be defined in typed_data.types')
        : undefined,
    ),
  },
  {
    name: 'metamask-strict-chain-id',
    wallet: 'MetaMask 9.6',
    reported: 'https://github.com/MetaMask/metamask-extension/issues/11308',
    what: 'It rejects a chain id that is a string, even if it is correct.',
    play: picky(({ domain: { chainId } }) =>
      typeof chainId === 'string'
        ? walletError(-32603, `Provided chainId "${chainId}" must match the active chainId "${chainId}"`)
        : undefined,
    ),
  },
  {
    name: 'brave-wants-numbers',
    wallet: 'Brave Wallet 1.33',
    reported: 'https://github.com/brave/brave-browser/issues/20282',
    what: 'It rejects integers that are decimal strings.',
    play: picky(({ types, primaryType, message }) =>
      types[primaryType]?.some(({ name, type }) => /int/.test(type) && typeof message[name] === 'string')
        ? walletError(-32602, 'Invalid params')
        : undefined,
    ),
  },
  {
    name: 'walletconnect-personal-sign-reversed',
    wallet: 'Trust Wallet behind WalletConnect 1',
    reported: 'https://github.com/WalletConnect/walletconnect-monorepo/issues/141',
    what: 'It swaps the parameters of personal_sign, and signs the account’s address.',
    play: async (request, honest) => {
      if (!text.test(request.method)) return honest()
      const [, account] = textsOf(request)
      return honest({ method: request.method, params: [account, account] })
    },
  },
  {
    name: 'trust-wrong-signature',
    wallet: 'Trust Wallet behind WalletConnect',
    reported: 'https://github.com/trustwallet/wallet-core/issues/3612',
    what: 'The signature of typed data is well-formed, but for another message.',
    play: async (request, honest) => {
      if (!typedData.test(request.method)) return honest()
      const [account, json] = textsOf(request)
      return honest({ method: 'personal_sign', params: [stringToHex(json), account] })
    },
  },
  {
    name: 'ledger-recovery-value',
    wallet: 'Ledger behind MetaMask',
    reported: 'https://github.com/MetaMask/eth-ledger-bridge-keyring/issues/151',
    what: 'The signature’s v is 0 or 1 instead of 27 or 28.',
    play: changes<Hex>(
      signatures,
      (signature) => signature.slice(0, 130) + (signature.endsWith('1b') ? '00' : '01'),
    ),
  },
  {
    name: 'hardware-wallet-high-s',
    wallet: 'a hardware wallet',
    reported: 'https://github.com/ConsenSys-archive/ganache/issues/2600',
    what: 'The signature’s s is in the upper half of the curve’s order.',
    play: changes<Hex>(signatures, (signature) => {
      const s = curveOrder - BigInt(`0x${signature.slice(66, 130)}`)
      return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${signature.endsWith('1b') ? '1c' : '1b'}`
    }),
  },
  {
    name: 'oisy-without-0x',
    wallet: 'OISY',
    reported: 'https://github.com/dfinity/oisy-wallet/pull/130',
    what: 'The signature of a message lacks the prefix 0x.',
    play: changes<Hex>(text, (signature) => signature.slice(2)),
  },
  {
    name: 'ledger-blind-signing-off',
    wallet: 'Ledger behind MetaMask Mobile',
    reported: 'https://github.com/MetaMask/metamask-mobile/issues/13165',
    what: 'With blind signing off, typed data fails with a generic device error.',
    play: failsWith(
      typedData,
      -32603,
      'Keyring Controller signTypedMessage: TransportStatusError: Ledger device: Invalid data received (0x6a80)',
    ),
  },
  {
    name: 'trezor-no-typed-data',
    wallet: 'Trezor behind MetaMask',
    reported: 'https://github.com/trezor/trezor-firmware/issues/1543',
    what: 'The device signs messages but not typed data.',
    play: failsWith(typedData, -32603, 'MetaMask Message Signature: Error: Not supported on this device'),
  },
  {
    name: 'safe-answers-0x',
    wallet: 'Safe behind WalletConnect',
    reported: 'https://github.com/safe-global/safe-apps-sdk/issues/237',
    what: 'A message approved on chain returns 0x.',
    play: changes(signatures, () => '0x'),
  },
  {
    name: 'safe-answers-empty-text',
    wallet: 'Safe behind WalletConnect',
    reported: 'https://github.com/celo-org/celo-mondo/issues/203',
    what: 'After the first of several owners has signed, the page gets an empty string.',
    play: changes(signatures, () => ''),
  },
  {
    name: 'coinbase-long-signature',
    wallet: 'Coinbase Smart Wallet',
    reported: 'https://github.com/coinbase/coinbase-wallet-sdk/issues/1379',
    what: 'The signature of a smart account is much longer than 65 bytes.',
    play: changes<Hex>(signatures, (signature) =>
      encodeAbiParameters(
        [{ type: 'tuple', components: [{ type: 'uint256' }, { type: 'bytes' }] }],
        [[0n, signature]],
      ),
    ),
  },
  {
    name: 'coinbase-not-deployed',
    wallet: 'Coinbase Smart Wallet',
    reported: 'https://github.com/circlefin/stablecoin-evm/issues/470',
    what: 'A new account signs before it is deployed, and wraps the signature with its deployment (ERC-6492).',
    play: changes<Hex>(signatures, wrapped),
  },
  {
    name: 'base-account-wraps-deployed',
    wallet: 'Base Account',
    reported: 'https://github.com/x402-foundation/x402/pull/2352',
    what: 'It wraps signatures as in ERC-6492 although the account is deployed.',
    play: changes<Hex>(signatures, wrapped),
  },
  {
    name: 'kernel-wants-another-hash',
    wallet: 'ZeroDev Kernel accounts',
    reported: 'https://github.com/zerodevapp/kernel/issues/92',
    what: 'The owner signs the requested hash, but the account accepts only a wrapped hash.',
    // The wallet behaves normally. The account's code makes the difference.
    play: (_request, honest) => honest(),
  },
  {
    name: 'ithaca-delegate-wants-another-hash',
    wallet: 'IthacaAccount delegations (EIP-7702)',
    reported: 'https://github.com/cowprotocol/cowswap/issues/8032',
    what: 'It signs with the plain key, which the delegated code does not accept.',
    // The wallet behaves normally. The account's code makes the difference.
    play: (_request, honest) => honest(),
  },
] as const satisfies readonly EvmWalletProfile[]

/** Wraps a signature as ERC-6492 requires, with Coinbase's factory, which is not called once the account is deployed. */
function wrapped(signature: Hex): Hex {
  return serializeErc6492Signature({
    address: '0xBA5ED110eFDBa3D005bfC882d75358ACBbB85842',
    data: '0x6492',
    signature,
  })
}
