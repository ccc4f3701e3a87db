import { formatBase58, formatBase64 } from '../../../../redeemkit/solana/encoding.ts'
import type { ParsedTransaction } from '../../../../redeemkit/solana/transaction/parseTransaction.ts'
import type { AccountState } from '../accountStore.ts'
import type { Ledger } from '../createLedger.ts'
import { isWritable, type LandedTransaction } from '../landedTransactions.ts'
import { isTokenAccount, tokenAmount } from './encodeAccount.ts'
import type { Config } from './params.ts'
import { RpcAnswerError } from './rpcAnswerError.ts'

/** A transaction that landed, in the shape of a node's answer to `getTransaction`. */
export function encodeLanded(ledger: Ledger, landed: LandedTransaction, config: Config) {
  const { encoding = 'json', maxSupportedTransactionVersion } = config
  const { parsed, slot, blockTime } = landed
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
        ? [formatBase64(landed.bytes), 'base64']
        : encoding === 'base58'
          ? [formatBase58(landed.bytes), 'base58']
          : {
              message: isParsed ? parsedMessage(landed) : plainMessage(landed),
              signatures: parsed.signatures.map(formatBase58),
            },
    meta: {
      err: landed.err,
      status: landed.err === null ? { Ok: null } : { Err: landed.err },
      fee: landed.fee,
      preBalances: landed.before.map((state) => Number(state.lamports)),
      postBalances: landed.after.map((state) => Number(state.lamports)),
      preTokenBalances: tokenBalances(ledger, landed.before),
      postTokenBalances: tokenBalances(ledger, landed.after),
      innerInstructions: landed.inner.map(({ index, instructions }) => ({
        index,
        instructions: isParsed
          ? instructions.map(({ programIdIndex, accounts, data }) => ({
              programId: landed.accounts[programIdIndex],
              accounts: accounts.map((account) => landed.accounts[account]),
              data,
            }))
          : instructions,
      })),
      logMessages: landed.logs,
      loadedAddresses: landed.loaded,
      rewards: [],
      computeUnitsConsumed: landed.computeUnits,
    },
  }
}

/** The message with its accounts by number. */
function plainMessage({ parsed }: LandedTransaction) {
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

/** The message with its accounts by address. */
function parsedMessage({ parsed, accounts, loaded }: LandedTransaction) {
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
