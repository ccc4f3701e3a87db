import { formatAmount } from '../../../redeemkit/core/amount.ts'
import { formatBase64 } from '../../../redeemkit/core/base64.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { type AccountState, readAmount } from './accountStore.ts'
import type { Ledger, LedgerTransaction } from './createLedger.ts'
import { type Config, RpcAnswerError } from './params.ts'

export function encodeAccount(ledger: Ledger, key: string, state: AccountState, config: Config) {
  const { encoding = 'base58' } = config
  const { data } = state
  const parsed = encoding === 'jsonParsed' ? parseTokenAccount(ledger, state) : undefined
  return {
    data: parsed ?? (encoding === 'base58' ? [formatBase58(data), 'base58'] : [formatBase64(data), 'base64']),
    executable: ledger.isProgram(key),
    lamports: Number(state.lamports),
    owner: state.owner,
    rentEpoch: 0,
    space: state.data.length,
  }
}

export function isTokenAccount({ owner, data }: AccountState): boolean {
  return (
    (owner === programs.token && data.length === 165) || (owner === programs.token2022 && data.length >= 165)
  )
}

/** Returns undefined for other accounts, which nodes return as bytes. */
function parseTokenAccount(ledger: Ledger, state: AccountState) {
  if (!isTokenAccount(state)) return undefined
  const program = state.owner === programs.token ? 'spl-token' : 'spl-token-2022'
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
}

export function tokenAmount(ledger: Ledger, state: AccountState) {
  const mint = ledger.read(formatBase58(state.data.slice(0, 32)))
  const amount = readAmount(state.data, 64)
  const decimals = mint?.data[44] ?? 0
  const uiAmountString = formatAmount(amount, { decimals })
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

export function encodeLedgerTransaction(ledger: Ledger, included: LedgerTransaction, config: Config) {
  const { encoding = 'json', maxSupportedTransactionVersion } = config
  const { parsed, slot, blockTime } = included
  if (parsed.version === 0 && maxSupportedTransactionVersion === undefined)
    throw new RpcAnswerError(
      -32015,
      'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
    )
  if (encoding === 'jsonParsed')
    throw new RpcAnswerError(-32602, 'The local node returns transactions as json, base58 or base64 only.')
  return {
    slot,
    blockTime,
    version: parsed.version,
    transaction:
      encoding === 'base64'
        ? [formatBase64(included.bytes), 'base64']
        : encoding === 'base58'
          ? [formatBase58(included.bytes), 'base58']
          : {
              message: plainMessage(parsed),
              signatures: parsed.signatures.map(formatBase58),
            },
    meta: {
      err: included.err,
      status: included.err === null ? { Ok: null } : { Err: included.err },
      fee: included.fee,
      preBalances: included.before.map((state) => Number(state.lamports)),
      postBalances: included.after.map((state) => Number(state.lamports)),
      preTokenBalances: tokenBalances(ledger, included.before),
      postTokenBalances: tokenBalances(ledger, included.after),
      innerInstructions: included.inner,
      logMessages: included.logs,
      loadedAddresses: included.loaded,
      rewards: [],
      computeUnitsConsumed: included.computeUnits,
    },
  }
}

function plainMessage(parsed: ParsedTransaction) {
  return {
    accountKeys: parsed.keys,
    recentBlockhash: parsed.blockhash,
    instructions: parsed.instructions.map(({ program, accounts, data }) => ({
      programIdIndex: program,
      accounts,
      data: formatBase58(data),
      stackHeight: null,
    })),
    header: {
      numRequiredSignatures: parsed.signers,
      numReadonlySignedAccounts: parsed.readonlySigners,
      numReadonlyUnsignedAccounts: parsed.readonlyOthers,
    },
    ...(parsed.version === 0 && {
      addressTableLookups: parsed.lookups.map((lookup) => ({
        accountKey: lookup.table,
        writableIndexes: lookup.writable,
        readonlyIndexes: lookup.readonly,
      })),
    }),
  }
}

function tokenBalances(ledger: Ledger, states: readonly AccountState[]) {
  return states.flatMap((state, accountIndex) =>
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
}
