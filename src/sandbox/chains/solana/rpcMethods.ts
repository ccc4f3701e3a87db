import { address } from '@solana/kit'
import { formatAmount } from '../../../core/amount/formatAmount.ts'
import { parseAddress } from '../../../solana/address/parseAddress.ts'
import { formatBase58 } from '../../../solana/encoding/formatBase58.ts'
import { InvalidBase58Error, parseBase58 } from '../../../solana/encoding/parseBase58.ts'
import { parseBase64 } from '../../../solana/encoding/parseBase64.ts'
import { programs } from '../../../solana/instruction/programs.ts'
import { encodeTransaction } from '../../../solana/transaction/encodeTransaction.ts'
import { parseTransaction } from '../../../solana/transaction/parseTransaction.ts'
import { type AccountState, type LandedTransaction, type Ledger, readAmount } from './createLedger.ts'
import { failureInWords } from './describeFailure.ts'

/** An error answer of the node. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

type Config = Record<string, unknown>
type Method = (params: readonly unknown[]) => unknown

/** The JSON-RPC methods that a `Connection` calls, in the shapes of the node's own answers. */
export function rpcMethods(ledger: Ledger): Record<string, Method> {
  const { svm, network } = ledger
  const inContext = <value>(value: value) => ({
    context: { slot: ledger.slot(), apiVersion: '2.2.0' },
    value,
  })
  const account = (key: unknown, config: Config) => {
    const own = addressOf(key)
    const state = ledger.read(own)
    return state === undefined ? null : encodeAccount(ledger, own, state, config)
  }
  const tokenAccounts = (filter: (data: Uint8Array) => boolean, programId: string) =>
    svm
      .getProgramAccounts(address(programId))
      .map((found) => ({
        address: String(found.address),
        state: {
          lamports: found.lamports,
          owner: programId,
          data: Uint8Array.from(found.data),
        },
      }))
      .filter(({ state }) => filter(state.data))
      .sort((a, b) => (a.address < b.address ? -1 : 1))

  return {
    getHealth: () => 'ok',
    getVersion: () => ({ 'solana-core': '2.2.0', 'feature-set': 0 }),
    getGenesisHash: () => network.genesisHash,
    getSlot: () => ledger.slot(),
    getBlockHeight: () => ledger.blockHeight(),
    getEpochInfo: () => ({
      absoluteSlot: ledger.slot(),
      blockHeight: ledger.blockHeight(),
      epoch: Number(svm.getClock().epoch),
      slotIndex: 0,
      slotsInEpoch: 432_000,
      transactionCount: ledger.landed.size,
    }),
    getBlockTime: () => Math.floor(ledger.now() / 1000),
    getLatestBlockhash: () => inContext(ledger.latestBlockhash()),
    isBlockhashValid: ([blockhash]) => inContext(ledger.isRecent(textOf(blockhash))),
    getMinimumBalanceForRentExemption: ([length]) => {
      if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) throw badParams('length')
      return Number(svm.minimumBalanceForRentExemption(BigInt(length)))
    },
    getRecentPrioritizationFees: () => [{ slot: ledger.slot(), prioritizationFee: 0 }],
    getBalance: ([key]) => inContext(Number(ledger.read(addressOf(key))?.lamports ?? 0n)),
    getAccountInfo: ([key, config]) => inContext(account(key, configOf(config))),
    getMultipleAccounts: ([keys, config]) => {
      if (!Array.isArray(keys) || keys.length > 100) throw badParams('keys')
      return inContext(keys.map((key) => account(key, configOf(config))))
    },
    getProgramAccounts: ([programId, config]) => {
      const { filters, withContext } = configOf(config)
      const id = addressOf(programId)
      const list = tokenAccounts((data) => matches(data, filters), id).map(({ address, state }) => ({
        pubkey: address,
        account: encodeAccount(ledger, address, state, configOf(config)),
      }))
      return withContext === true ? inContext(list) : list
    },
    getTokenAccountBalance: ([key]) => {
      const state = ledger.read(addressOf(key))
      if (state === undefined || !isTokenAccount(state))
        throw new RpcError(-32602, 'Invalid param: could not find account')
      return inContext(tokenAmount(ledger, state))
    },
    getTokenSupply: ([key]) => {
      const mint = ledger.read(addressOf(key))
      if (mint === undefined || mint.data.length < 82)
        throw new RpcError(-32602, 'Invalid param: not a Token mint')
      return inContext(uiAmount(readAmount(mint.data, 36), mint.data[44] ?? 0))
    },
    getTokenAccountsByOwner: ([owner, filter, config]) => {
      const { mint, programId } = configOf(filter)
      const ownerKey = addressOf(owner)
      const mintKey = mint === undefined ? undefined : addressOf(mint)
      const program =
        mintKey === undefined ? addressOf(programId) : (ledger.read(mintKey)?.owner ?? programs.token)
      const found = tokenAccounts(
        (data) =>
          data.length >= 165 &&
          formatBase58(data.slice(32, 64)) === ownerKey &&
          (mintKey === undefined || formatBase58(data.slice(0, 32)) === mintKey),
        program,
      )
      return inContext(
        found.map(({ address, state }) => ({
          pubkey: address,
          account: encodeAccount(ledger, address, state, configOf(config)),
        })),
      )
    },
    getFeeForMessage: ([message]) => {
      const bytes = parseBase64(textOf(message), { field: 'message' })
      const signers = bytes[0] === 128 ? (bytes[1] ?? 0) : (bytes[0] ?? 0)
      const { parsed } = readable(
        encodeTransaction({
          signatures: Array.from({ length: signers }, () => new Uint8Array(64)),
          message: bytes,
        }),
      )
      return inContext(ledger.isRecent(parsed.blockhash) ? 5000 * parsed.signers : null)
    },
    requestAirdrop: ([key, amount]) => {
      if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
        throw badParams('lamports')
      const person = addressOf(key)
      const before = ledger.read(person) ?? empty()
      ledger.fundSol(person, BigInt(amount))
      const signature = formatBase58(crypto.getRandomValues(new Uint8Array(64)))
      ledger.record(airdropRecord(ledger, { person, signature, before }))
      return signature
    },
    sendTransaction: ([text, config]) => {
      const { encoding = 'base58', skipPreflight } = configOf(config)
      const { bytes, parsed } = readable(bytesOf(text, encoding))
      if (skipPreflight !== true) {
        const trial = ledger.simulate(bytes, { signatures: true, blockhash: true })
        if (trial.err !== null) throw preflightError({ err: trial.err, logs: trial.logs })
      }
      const { err, logs, transaction } = ledger.send(bytes)
      // A node takes what fails without a trial run, and drops it unseen when it could not land.
      if (transaction === undefined && skipPreflight !== true && err !== null)
        throw preflightError({ err, logs })
      return formatBase58(parsed.signatures[0] ?? new Uint8Array())
    },
    simulateTransaction: ([text, config]) => {
      const { encoding = 'base58', sigVerify, replaceRecentBlockhash, accounts } = configOf(config)
      const { bytes } = readable(bytesOf(text, encoding))
      const result = ledger.simulate(bytes, {
        signatures: sigVerify === true,
        blockhash: replaceRecentBlockhash !== true,
      })
      const asked = configOf(accounts).addresses
      return inContext({
        err: result.err,
        logs: result.logs,
        unitsConsumed: result.computeUnits,
        returnData: null,
        innerInstructions: null,
        replacementBlockhash: replaceRecentBlockhash === true ? ledger.latestBlockhash() : null,
        accounts: Array.isArray(asked)
          ? asked.map((key) => {
              const found = result.accounts.find((entry) => entry.address === key)
              if (found === undefined) return null
              const state = {
                lamports: found.lamports,
                owner: found.programAddress,
                data: Uint8Array.from(found.data),
              }
              return encodeAccount(ledger, found.address, state, { encoding: 'base64' })
            })
          : null,
      })
    },
    getSignatureStatuses: ([signatures]) => {
      if (!Array.isArray(signatures) || signatures.length > 256) throw badParams('signatures')
      return inContext(signatures.map((signature) => statusOf(ledger.landed.get(String(signature)))))
    },
    getSignaturesForAddress: ([key, config]) => {
      const person = addressOf(key)
      const { limit = 1000 } = configOf(config)
      return [...ledger.landed.values()]
        .filter(({ accounts }) => accounts.includes(person))
        .reverse()
        .slice(0, Number(limit))
        .map(({ signature, slot, blockTime, err }) => ({
          signature,
          slot,
          blockTime,
          err,
          memo: null,
          confirmationStatus: 'finalized',
        }))
    },
    getTransaction: ([signature, config]) => {
      const found = ledger.landed.get(textOf(signature))
      return found === undefined ? null : encodeLanded(ledger, found, configOf(config))
    },
  }
}

function statusOf(transaction: LandedTransaction | undefined) {
  if (transaction === undefined) return null
  const { slot, err } = transaction
  return {
    slot,
    confirmations: null,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus: 'finalized',
  }
}

function encodeAccount(ledger: Ledger, key: string, state: AccountState, config: Config) {
  const { encoding = 'base58', dataSlice } = config
  const { offset = 0, length = state.data.length } = configOf(dataSlice)
  const data = state.data.slice(Number(offset), Number(offset) + Number(length))
  const parsed = encoding === 'jsonParsed' ? parseTokenAccount(ledger, state) : undefined
  return {
    data: parsed ?? (encoding === 'base58' ? [formatBase58(data), 'base58'] : [base64(data), 'base64']),
    executable: isProgram(ledger, key),
    lamports: Number(state.lamports),
    owner: state.owner,
    rentEpoch: 0,
    space: state.data.length,
  }
}

function isProgram(ledger: Ledger, key: string): boolean {
  const account = ledger.svm.getAccount(address(key))
  return account.exists && account.executable
}

function isTokenAccount({ owner, data }: AccountState): boolean {
  return (
    (owner === programs.token && data.length === 165) || (owner === programs.token2022 && data.length >= 165)
  )
}

function parseTokenAccount(ledger: Ledger, state: AccountState) {
  const program = state.owner === programs.token ? 'spl-token' : 'spl-token-2022'
  if (isTokenAccount(state))
    return {
      program,
      space: state.data.length,
      parsed: {
        type: 'account',
        info: {
          isNative: false,
          mint: formatBase58(state.data.slice(0, 32)),
          owner: formatBase58(state.data.slice(32, 64)),
          state: state.data[108] === 2 ? 'frozen' : 'initialized',
          tokenAmount: tokenAmount(ledger, state),
        },
      },
    }
  if (state.owner === programs.token && state.data.length === 82)
    return {
      program,
      space: 82,
      parsed: {
        type: 'mint',
        info: {
          decimals: state.data[44],
          isInitialized: state.data[45] === 1,
          supply: readAmount(state.data, 36).toString(),
          mintAuthority: state.data[0] === 1 ? formatBase58(state.data.slice(4, 36)) : null,
          freezeAuthority: state.data[46] === 1 ? formatBase58(state.data.slice(50, 82)) : null,
        },
      },
    }
  return undefined
}

function tokenAmount(ledger: Ledger, state: AccountState) {
  const mint = ledger.read(formatBase58(state.data.slice(0, 32)))
  return uiAmount(readAmount(state.data, 64), mint?.data[44] ?? 0)
}

function uiAmount(amount: bigint, decimals: number) {
  const uiAmountString = formatAmount(amount, { decimals })
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

function encodeLanded(ledger: Ledger, landed: LandedTransaction, config: Config) {
  const { encoding = 'json', maxSupportedTransactionVersion } = config
  const { parsed, accounts, loaded, slot, blockTime } = landed
  if (parsed.version === 0 && maxSupportedTransactionVersion === undefined)
    throw new RpcError(
      -32015,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    )
  const tokens = (states: readonly AccountState[]) =>
    states.flatMap((state, accountIndex) =>
      isTokenAccount(state)
        ? [
            {
              accountIndex,
              mint: formatBase58(state.data.slice(0, 32)),
              owner: formatBase58(state.data.slice(32, 64)),
              programId: state.owner,
              uiTokenAmount: tokenAmount(ledger, state),
            },
          ]
        : [],
    )
  const signatures = parsed.signatures.map(formatBase58)
  const { keys, signers, readonlySigners, readonlyOthers } = parsed
  const isJson = encoding !== 'jsonParsed'
  const writable = (index: number) =>
    index >= keys.length
      ? index < keys.length + loaded.writable.length
      : index < signers
        ? index < signers - readonlySigners
        : index < keys.length - readonlyOthers
  const message = {
    accountKeys: isJson
      ? keys
      : accounts.map((pubkey, index) => ({
          pubkey,
          signer: index < signers,
          writable: writable(index),
          source: index < keys.length ? 'transaction' : 'lookupTable',
        })),
    recentBlockhash: parsed.blockhash,
    instructions: parsed.instructions.map(({ program, accounts: indexes, data }) =>
      isJson
        ? { programIdIndex: program, accounts: indexes, data: formatBase58(data), stackHeight: null }
        : {
            programId: accounts[program],
            accounts: indexes.map((index) => accounts[index]),
            data: formatBase58(data),
            stackHeight: null,
          },
    ),
    ...(isJson
      ? {
          header: {
            numRequiredSignatures: signers,
            numReadonlySignedAccounts: readonlySigners,
            numReadonlyUnsignedAccounts: readonlyOthers,
          },
        }
      : {}),
    ...(parsed.version === 0
      ? {
          addressTableLookups: parsed.lookups.map((lookup) => ({
            accountKey: lookup.table,
            writableIndexes: lookup.writable,
            readonlyIndexes: lookup.readonly,
          })),
        }
      : {}),
  }
  const wire =
    encoding === 'base64'
      ? [base64(landed.bytes), 'base64']
      : encoding === 'base58'
        ? [formatBase58(landed.bytes), 'base58']
        : { message, signatures }
  return {
    slot,
    blockTime,
    version: parsed.version,
    transaction: wire,
    meta: {
      err: landed.err,
      status: landed.err === null ? { Ok: null } : { Err: landed.err },
      fee: landed.fee,
      preBalances: landed.before.map((state) => Number(state.lamports)),
      postBalances: landed.after.map((state) => Number(state.lamports)),
      preTokenBalances: tokens(landed.before),
      postTokenBalances: tokens(landed.after),
      innerInstructions: landed.inner.map(({ index, instructions }) => ({
        index,
        instructions: instructions.map((inner) =>
          isJson
            ? inner
            : {
                programId: accounts[inner.programIdIndex],
                accounts: inner.accounts.map((account) => accounts[account]),
                data: inner.data,
              },
        ),
      })),
      logMessages: landed.logs,
      loadedAddresses: loaded,
      rewards: [],
      computeUnitsConsumed: landed.computeUnits,
    },
  }
}

/** An airdrop is no transaction here; its signature is confirmed all the same. */
function airdropRecord(
  ledger: Ledger,
  { person, signature, before }: { person: string; signature: string; before: AccountState },
): LandedTransaction {
  return {
    signature,
    slot: ledger.slot(),
    blockTime: Math.floor(ledger.now() / 1000),
    bytes: new Uint8Array(),
    parsed: {
      version: 'legacy',
      signatures: [parseBase58(signature, { field: 'signature' })],
      message: new Uint8Array(),
      signers: 1,
      readonlySigners: 0,
      readonlyOthers: 0,
      keys: [person],
      blockhash: ledger.latestBlockhash().blockhash,
      instructions: [],
      lookups: [],
    },
    accounts: [person],
    loaded: { writable: [], readonly: [] },
    err: null,
    fee: 0,
    logs: [],
    computeUnits: 0,
    inner: [],
    before: [before],
    after: [ledger.read(person) ?? empty()],
  }
}

function preflightError({
  err,
  logs,
}: {
  err: Parameters<typeof failureInWords>[0]
  logs: string[]
}): RpcError {
  if (err === 'SignatureFailure') return new RpcError(-32003, 'Transaction signature verification failure')
  return new RpcError(-32002, `Transaction simulation failed: ${failureInWords(err)}`, {
    err,
    logs,
    accounts: null,
    unitsConsumed: 0,
    returnData: null,
  })
}

function readable(bytes: Uint8Array) {
  try {
    return { bytes, parsed: parseTransaction(bytes) }
  } catch (error) {
    throw new RpcError(
      -32602,
      `failed to deserialize transaction: ${error instanceof Error ? error.message : error}`,
    )
  }
}

function bytesOf(text: unknown, encoding: unknown): Uint8Array {
  try {
    return encoding === 'base64'
      ? parseBase64(textOf(text), { field: 'transaction' })
      : parseBase58(textOf(text), { field: 'transaction' })
  } catch (error) {
    if (error instanceof RpcError) throw error
    throw new RpcError(
      -32602,
      `invalid ${error instanceof InvalidBase58Error ? 'base58' : 'base64'} encoding`,
    )
  }
}

function matches(data: Uint8Array, filters: unknown): boolean {
  if (filters === undefined || filters === null) return true
  if (!Array.isArray(filters)) throw badParams('filters')
  return filters.every((filter) => {
    const { dataSize, memcmp } = configOf(filter)
    if (typeof dataSize === 'number') return data.length === dataSize
    const { offset, bytes, encoding } = configOf(memcmp)
    if (typeof offset !== 'number') throw badParams('filters')
    const wanted = bytesOf(bytes, encoding ?? 'base58')
    return wanted.every((byte, i) => data[offset + i] === byte)
  })
}

function addressOf(key: unknown): string {
  try {
    return parseAddress(textOf(key), { field: 'pubkey' })
  } catch {
    throw new RpcError(-32602, 'Invalid param: Invalid')
  }
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw badParams('text')
  return value
}

function configOf(value: unknown): Config {
  // Checked: an object that is no list; every field is checked where it is used.
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Config) : {}
}

function badParams(what: string): RpcError {
  return new RpcError(-32602, `Invalid params: ${what}`)
}

function empty(): AccountState {
  return { lamports: 0n, owner: programs.system, data: new Uint8Array() }
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}
