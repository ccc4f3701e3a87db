import { makeError } from 'ethers'
import {
  ChainDisconnectedError,
  ResourceUnavailableRpcError,
  TransactionRejectedRpcError,
  UnauthorizedProviderError,
  UnknownRpcError,
  UserRejectedRequestError,
} from 'viem'
import { describe, expect, test } from 'vitest'
import { walletVerdict } from './walletVerdict.ts'

const error = (message: string, more: object = {}) => Object.assign(new Error(message), more)

describe('walletVerdict returns rejected', () => {
  // messages of wallets and their libraries, from their source code or issue trackers
  test.each([
    ['MetaMask', 'MetaMask Message Signature: User denied message signature.'],
    ['MetaMask, typed data', 'MetaMask Typed Message Signature: User denied message signature.'],
    ['Coinbase Wallet', 'User denied account authorization'],
    ['Coinbase Wallet, a request', 'User rejected the request'],
    ['WalletConnect, a request', 'User rejected.'],
    ['WalletConnect, a session', 'User rejected methods.'],
    ['WalletConnect, its modal', 'Connection request reset. Please try again.'],
    ['WalletConnect 1', 'User closed modal'],
    ['another modal', 'Error: User closed modal'],
    ['Trust Wallet', 'cancelled'],
    ['Trust Wallet, in capitals', 'User Canceled'],
    ['Rainbow', 'Request rejected'],
    ['Frame', 'User declined transaction'],
    ['SafePal', 'Cancelled by User'],
    ['Zerion', 'Rejected by the user.'],
    ['Keystone and others', 'Rejected'],
    // MetaMask/metamask-mobile, pull request 13313, with the prefix of issue 13165
    [
      'Keystone behind MetaMask',
      'Keyring Controller signTypedMessage: Error: KeystoneError#Tx_canceled. Signing canceled, please retry',
    ],
    ['a newer Keystone', 'Keyring Controller signTypedMessage: Error: Request cancelled'],
    ['imToken', 'Cancelled signing message'],
    ['Ledger', 'Ledger device: Condition of use not satisfied (denied by the user?) (0x6985)'],
    ['Trezor', 'Action cancelled by user'],
    ['Trezor, its window', 'Popup closed'],
    ['Privy', 'The user rejected the request'],
    ['Reown', 'USER_REJECTED'],
    ['ethers 6', 'ethers-user-denied: MetaMask Tx Signature: User denied transaction signature.'],
    ['ethers 5', 'user rejected signing (action="signMessage", code=ACTION_REJECTED)'],
    ['web3-onboard', 'User rejected the request.'],
    ['Vultisig', 'rejectedByUser'],
    // Chrome uses the same message for a cancelled passkey and for one that timed out
    [
      'a passkey in Chrome',
      'The operation either timed out or was not allowed. See: https://www.w3.org/TR/webauthn-2/#sctn-privacy-considerations-client.',
    ],
    ['a passkey in Safari', 'This request has been cancelled by the user.'],
    ['Trezor, its PIN', 'PIN entry cancelled'],
    ['OneKey, its PIN', 'Pin cancelled'],
    ['Para', 'transaction review has been denied by the user'],
    ['Magic', 'Magic RPC Error: [-32603] Internal error: User denied signing.'],
    ['Binance', '[binance-w3w] User rejected the operation'],
    ['OKX Connect', 'user rejects error'],
    ['BitBox', 'aborted by the user'],
    [
      'Fireblocks',
      'Fireblocks transaction 1 was not completed successfully. Final Status: CANCELLED (CANCELLED_BY_USER)',
    ],
    ['a text in the past', 'The signature request was cancelled.'],
    ['a text in the perfect', 'User has rejected the signature'],
  ])('%s: %s', (_, text) => {
    for (const thrown of [
      text,
      error(text),
      error('Internal JSON-RPC error.', { code: -32603, data: text }),
      error('failed', { data: { cause: text } }),
      error('could not coalesce error', {
        code: 'UNKNOWN_ERROR',
        info: { error: { data: { originalError: { message: text } } } },
      }),
      new UnknownRpcError(error(text)),
      error('one', { cause: error('two', { error: { reason: text } }) }),
    ])
      expect(walletVerdict(thrown)).toBe('rejected')
  })
  test.each<[string, unknown]>([
    ['EIP-1193', { code: 4001 }],
    ['EIP-1193, as text', { code: '4001' }],
    ['WalletConnect', { code: 5000 }],
    ['WalletConnect, methods', { code: 5002 }],
    [
      'ethers',
      makeError('rejected', 'ACTION_REJECTED', {
        action: 'signTypedData',
        reason: 'rejected',
        info: {},
      } as never),
    ],
    ['viem', new UserRejectedRequestError(error('x'))],
    ['Ledger', { name: 'TransportStatusError', statusCode: 0x6985 }],
    ['Ledger, outside an app', { name: 'TransportStatusError', statusCode: 0x5501 }],
    ['Ledger Live', { name: 'UserRefusedOnDevice', message: '' }],
    // trezor/trezor-suite, issue 22110 and packages/connect/src/constants/errors.ts
    ['Trezor', { code: 'Failure_ActionCancelled', error: 'Cancelled' }],
    ['Trezor, its PIN', error('PIN entry cancelled', { code: 'Failure_PinCancelled' })],
    ['Trezor, its page', error('Cancelled', { code: 'Method_Cancel' })],
    ['MetaMask behind ethers', { info: { error: { data: { originalError: { code: 4001 } } } } }],
    // MetaMask/metamask-extension, issue 7160
    [
      'MetaMask 7.1, by its stack',
      error('Internal JSON-RPC error.', {
        code: -32603,
        stack: 'Error: MetaMask Tx Signature: User denied transaction signature.\n    at inpage.js:1',
      }),
    ],
  ])('for the code or name of an error from %s', (_, thrown) => {
    expect(walletVerdict(thrown)).toBe('rejected')
  })
  test('even if other parts of the error have another meaning', () => {
    expect(walletVerdict({ code: -32002, cause: { code: 4100, cause: { code: 4001 } } })).toBe('rejected')
  })
})

describe('walletVerdict does not return rejected for', () => {
  test.each([
    'transaction was rejected by the network',
    "the user's request was cancelled by timeout of the node",
    'The request was rejected by the server',
    'Request rejected: rate limit exceeded',
    'Request was cancelled due to timeout',
    'Account of user denied by policy',
    'user rejected by sanctions list',
    'cancelled by user operation validation',
    'transaction rejected: insufficient funds',
    'The connection was closed',
    'Connection refused',
    'user not found',
    'The message is not signed',
    'signing failed',
    'Please try again',
    'rejectedness',
    'superuser denied',
    '',
  ])('%j', (text) => {
    expect(walletVerdict(error(text))).toBeUndefined()
    expect(walletVerdict(error('failed', { cause: error('x', { data: text }) }))).toBeUndefined()
  })
  test.each<[string, unknown]>([
    ['axios, an abort', error('canceled', { code: 'ERR_CANCELED', name: 'CanceledError' })],
    ['fetch, an abort', error('Request cancelled', { name: 'AbortError' })],
    [
      'ethers, an abort',
      makeError('request cancelled', 'CANCELLED', { operation: 'send', info: {} } as never),
    ],
    [
      'a node, with a name that ends like Trezor’s',
      error('Transaction cancelled', { name: 'TransactionCancelledError' }),
    ],
    ['Chrome and node-fetch, an abort', error('The user aborted a request.', { name: 'AbortError' })],
    ['a server, a limit', error('The request timed out or was not allowed.')],
    ['TanStack Query, an abort', error('Cancelled', { name: 'CancelledError' })],
    ['another client, an abort', error('Request cancelled', { name: 'RequestCancelledError' })],
    [
      'EIP-1474, a transaction that the node refuses',
      new TransactionRejectedRpcError(error('Transaction rejected.', { code: -32003 })),
    ],
    [
      'a stack whose function name contains such text',
      { message: 'x', stack: 'Error: x\n    at User rejected the request' },
    ],
    ['a number', 4001],
    ['nothing', undefined],
    ['an object that throws when inspected', new Proxy({}, { get: () => JSON.parse('{') })],
  ])('%s', (_, thrown) => {
    expect(walletVerdict(thrown)).toBeUndefined()
  })
  test('an error with circular causes', () => {
    const circle: Record<string, unknown> = { message: 'x' }
    circle.cause = { data: circle, error: Array.from({ length: 100 }) }
    expect(walletVerdict(circle)).toBeUndefined()
  })
  test('a message that would make a naive regular expression slow', () => {
    const started = performance.now()
    for (const word of ['sign ', 'was ', 'user ', 'cancelled ', 'the request ', 'e'])
      walletVerdict(error(`${word.repeat(2_000)}!x`))
    expect(performance.now() - started).toBeLessThan(500)
  })
})

describe('walletVerdict of a wallet', () => {
  test.each<[string, unknown]>([
    [
      'MetaMask',
      {
        code: -32002,
        message:
          "Request of type 'wallet_requestPermissions' already pending for origin https://shop.example. Please wait.",
      },
    ],
    ['an older MetaMask', { code: -32002, message: 'Already processing eth_requestAccounts. Please wait.' }],
    ['Phantom', { code: -32002, message: 'Requested resource not available' }],
    // RabbyHub/Rabby, src/background/controller/provider/rpcFlow.ts
    ['Rabby, locked', { code: -32001, message: 'Already processing unlock. Please wait.' }],
    // brave/brave-core, pull request 11459: Brave returns the code of a rejection; this message is invented
    ['Brave', { code: 4001, message: 'A request is already in progress.' }],
    // LedgerHQ/ledgerjs, pull request 87
    ['Ledger', error('Ledger Device is busy (lock signMessage)', { name: 'TransportLocked' })],
    // trezor/trezor-suite, packages/connect/src/constants/errors.ts
    ['Trezor', error('Device call in progress', { code: 'Device_CallInProgress' })],
    // OneKeyHQ/hardware-js-sdk, packages/shared/src/HardwareError.ts
    ['OneKey', error('Device is busy', { errorCode: 120 })],
    [
      'a newer Ledger',
      error('An action was already pending on the Ledger device. Please deny or reconnect.'),
    ],
    ['viem', new ResourceUnavailableRpcError(error('x'))],
    [
      'ethers',
      makeError('could not coalesce error', 'UNKNOWN_ERROR', {
        error: { code: -32002, message: 'x' },
      } as never),
    ],
  ])('that still shows another request returns pending: %s', (_, thrown) => {
    expect(walletVerdict(thrown)).toBe('pending')
  })
  test.each<[string, unknown]>([
    ['EIP-1193', { code: 4100 }],
    ['MetaMask', { code: 4900, message: 'MetaMask: Disconnected from all chains.' }],
    ['viem', new UnauthorizedProviderError(error('x'))],
    ['Coinbase Wallet', { code: 4100, message: "Must call 'eth_requestAccounts' before other methods" }],
    [
      'Coinbase Wallet, by its message',
      error("Must call 'eth_requestAccounts' before other methods", { code: -32000 }),
    ],
    ['wagmi', error('Connector not connected.', { name: 'ConnectorNotConnectedError' })],
    ['WalletConnect, with a deleted session', error('No matching key. session: 0a1b2c')],
    // WalletConnect/walletconnect-docs, issue 394
    ['WalletConnect, with an ended session', { code: 6000, message: 'User disconnected.' }],
    // WalletConnect/walletconnect-monorepo, universal-provider
    ['WalletConnect, without a session', error('Please call connect() before request()')],
    [
      'WalletConnect, without a stored session',
      error('Session not initialized. Please call connect() before enable()'),
    ],
    // alephium/alephium-frontend, issue 1065
    [
      'WalletConnect, with a session that the wallet has just ended',
      error('Missing or invalid. Record was recently deleted - session: 0a1b2c'),
    ],
    // MetaMask/extension-provider, issue 22
    [
      'MetaMask, after its background process stopped',
      { code: 1011, message: 'MetaMask: Disconnected from MetaMask background. Page reload required.' },
    ],
    ['MetaMask, without a node', error('MetaMask: Disconnected from chain. Attempting to connect.')],
    // ConsenSys-archive/truffle, pull request 6071: Frame returns the code of a rejection
    ['Frame', { code: 4001, message: 'Permission denied, approve localhost:3000 in Frame to continue' }],
    ['Frame, without an account', { code: 4001, message: 'No Frame account selected' }],
    ['Phantom', { code: 4900, message: 'Phantom could not connect to the network.' }],
  ])('that is not connected returns unconnected: %s', (_, thrown) => {
    expect(walletVerdict(thrown)).toBe('unconnected')
  })
  test.each<[string, unknown]>([
    ['EIP-1193', new ChainDisconnectedError(error('x'))],
    ['MetaMask', error('Provided chainId "66" must match the active chainId "42"', { code: -32603 })],
    [
      'MetaMask Mobile',
      error('Provided chainId 11155111 musht match the active chainId 286609681', { code: -32603 }),
    ],
    // trustwallet/trust-web3-provider, issue 363
    ['Trust Wallet', 'sign-tx.chainid.mismatch'],
  ])('that is on another chain returns otherChain: %s', (_, thrown) => {
    expect(walletVerdict(thrown)).toBe('otherChain')
  })
  test.each(['Pop up window failed to open', 'Popup blocked', 'Popup window was blocked'])(
    'whose window the browser blocked returns windowBlocked: %j',
    (text) => {
      expect(walletVerdict(error(text))).toBe('windowBlocked')
    },
  )
  test('that blocks a page after three rejections returns undefined, despite the code', () => {
    // MetaMask/metamask-extension, issue 32162
    expect(walletVerdict({ code: 4100, message: 'Request blocked due to spam filter.' })).toBeUndefined()
  })
  test.each([
    'No matching key was found in the index',
    'chain identifiers may match',
    'invalid chain id',
    // errors of MetaMask, Rabby, WalletConnect, Phantom and Ledger with none of these meanings
    'The requested method is not supported by this Ethereum provider.',
    "method [eth_signTypedData_v4] doesn't has corresponding handler",
    'Unauthorized method.',
    'Request expired. Please try again.',
    'Phantom does not recognize a valid transaction.',
    'Ledger device: Locked device (0x5515)',
    'DisconnectedDevice',
  ])('returns undefined for another message: %j', (text) => {
    const verdict = walletVerdict(error(`Node: ${text}`))
    expect(verdict).toBeUndefined()
  })
})
