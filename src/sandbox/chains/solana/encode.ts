import { formatAmount } from '../../../redeemkit/core/amount.ts'
import { formatBase64 } from '../../../redeemkit/core/base64.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import type { ParsedTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { type AccountState, readAmount } from './accountStore.ts'
import { isWritable, type Ledger, type LedgerTransaction } from './createLedger.ts'
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

export function tokenAmount(ledger: Ledger, state: AccountState) {
  const mint = ledger.read(formatBase58(state.data.slice(0, 32)))
  return uiAmount(readAmount(state.data, 64), mint?.data[44] ?? 0)
}

export function uiAmount(amount: bigint, decimals: number) {
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
  const isParsed = encoding === 'jsonParsed'
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
              message: isParsed ? parsedMessage(included) : plainMessage(included),
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
      innerInstructions: included.inner.map(({ index, instructions }) => ({
        index,
        instructions: isParsed
          ? instructions.map(({ programIdIndex, accounts, data }) => ({
              programId: included.accounts[programIdIndex],
              accounts: accounts.map((account) => included.accounts[account]),
              data,
            }))
          : instructions,
      })),
      logMessages: included.logs,
      loadedAddresses: included.loaded,
      rewards: [],
      computeUnitsConsumed: included.computeUnits,
    },
  }
}

function plainMessage({ parsed }: LedgerTransaction) {
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
    ...lookupsOf(parsed),
  }
}

function parsedMessage({ parsed, accounts, loaded }: LedgerTransaction) {
  const { keys, signers } = parsed
  return {
    accountKeys: accounts.map((pubkey, index) => ({
      pubkey,
      signer: index < signers,
      writable: isWritable({ parsed, loaded }, index),
      source: index < keys.length ? 'transaction' : 'lookupTable',
    })),
    recentBlockhash: parsed.blockhash,
    instructions: parsed.instructions.map(({ program, accounts: indexes, data }) => ({
      programId: accounts[program],
      accounts: indexes.map((index) => accounts[index]),
      data: formatBase58(data),
      stackHeight: null,
    })),
    ...lookupsOf(parsed),
  }
}

function lookupsOf({ version, lookups }: ParsedTransaction) {
  if (version === 'legacy') return {}
  return {
    addressTableLookups: lookups.map((lookup) => ({
      accountKey: lookup.table,
      writableIndexes: lookup.writable,
      readonlyIndexes: lookup.readonly,
    })),
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
