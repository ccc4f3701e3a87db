import { formatBase58 } from '../../../../solana/encoding/formatBase58.ts'
import { parseBase64 } from '../../../../solana/encoding/parseBase64.ts'
import { encodeTransaction } from '../../../../solana/transaction/encodeTransaction.ts'
import type { Ledger } from '../createLedger.ts'
import { failureInWords, type RpcTransactionError } from '../describeFailure.ts'
import type { LandedTransaction } from '../landedTransactions.ts'
import { encodeAccount } from './encodeAccount.ts'
import { encodeLanded } from './encodeLanded.ts'
import { inContext, type Methods } from './methods.ts'
import { addressOf, badParams, bytesOf, configOf, readable, textOf } from './params.ts'
import { RpcAnswerError } from './rpcAnswerError.ts'

/** Sending, trying and looking up transactions. */
export function transactionMethods(ledger: Ledger): Methods {
  return {
    getFeeForMessage: ([message]) => {
      const bytes = parseBase64(textOf(message), { field: 'message' })
      const signers = bytes[0] === 128 ? (bytes[1] ?? 0) : (bytes[0] ?? 0)
      const { parsed } = readable(
        encodeTransaction({
          signatures: Array.from({ length: signers }, () => new Uint8Array(64)),
          message: bytes,
        }),
      )
      return inContext(ledger, ledger.isRecent(parsed.blockhash) ? 5000 * parsed.signers : null)
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
      return inContext(ledger, {
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
      return inContext(
        ledger,
        signatures.map((signature) => statusOf(ledger.landed.get(String(signature)))),
      )
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

function preflightError({ err, logs }: { err: RpcTransactionError; logs: string[] }): RpcAnswerError {
  if (err === 'SignatureFailure')
    return new RpcAnswerError(-32003, 'Transaction signature verification failure')
  return new RpcAnswerError(-32002, `Transaction simulation failed: ${failureInWords(err)}`, {
    err,
    logs,
    accounts: null,
    unitsConsumed: 0,
    returnData: null,
  })
}
