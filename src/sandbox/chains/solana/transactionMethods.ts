import { parseBase64 } from '../../../redeemkit/core/base64.ts'
import { formatBase58 } from '../../../redeemkit/solana/encoding.ts'
import { encodeTransaction } from '../../../redeemkit/solana/transaction/parseTransaction.ts'
import { feeOfMessage, refuseUnhealthy } from './chainMethods.ts'
import { failureText, type RpcTransactionError } from './createLedger.ts'
import { encodeAccount, encodeLedgerTransaction } from './encode.ts'
import type { Node } from './openNode.ts'
import {
  addressOf,
  badParams,
  type Config,
  commitmentOf,
  configOf,
  inContext,
  type Methods,
  RpcAnswerError,
  readable,
  textOf,
  transactionOf,
  viewOf,
} from './params.ts'

export function transactionMethods(node: Node): Methods {
  return {
    getFeeForMessage: ([message, config]) => feeForMessage(node, message, configOf(config)),
    sendTransaction: ([text, config]) => sendTransaction(node, text, configOf(config)),
    simulateTransaction: ([text, config]) => simulateTransaction(node, text, configOf(config)),
    getSignatureStatuses: ([signatures, config]) => {
      if (!Array.isArray(signatures)) throw badParams('signatures')
      if (signatures.length > 256) throw new RpcAnswerError(-32602, 'Too many inputs provided; max 256')
      const archive = configOf(config).searchTransactionHistory === true
      return inContext(
        node,
        { commitment: 'processed' },
        signatures.map((signature) => statusOf(node, { signature: String(signature), archive })),
      )
    },
    getSignaturesForAddress: ([key, config]) => {
      const account = addressOf(key)
      const options = configOf(config)
      const { slot: last } = viewOf(node, options)
      return [...node.ledger.transactions.values()]
        .filter(({ accounts, slot }) => slot <= last && accounts.includes(account))
        .reverse()
        .slice(0, Number(options.limit ?? 1000))
        .map((included) => ({
          signature: included.signature,
          slot: included.slot,
          blockTime: included.blockTime,
          err: included.err,
          memo: null,
          confirmationStatus: node.stateOf(included),
        }))
    },
    getTransaction: ([signature, config]) => {
      const options = configOf(config)
      const commitment = commitmentOf(options.commitment)
      const found = node.find(textOf(signature), { archive: true, commitment })
      return found === undefined ? null : encodeLedgerTransaction(node.ledger, found, options)
    },
  }
}

function feeForMessage(node: Node, message: unknown, config: Config) {
  const bytes = parseBase64(textOf(message), 'message')
  const signers = bytes[0] === 128 ? (bytes[1] ?? 0) : (bytes[0] ?? 0)
  const signatures = Array.from({ length: signers }, () => new Uint8Array(64))
  const { parsed } = readable(encodeTransaction({ signatures, message: bytes }))
  const isKnown = viewOf(node, config).isRecent(parsed.blockhash)
  return inContext(node, config, isKnown ? Number(feeOfMessage(parsed)) : null)
}

function sendTransaction(node: Node, text: unknown, config: Config): string {
  const { encoding = 'base58', skipPreflight } = config
  const { bytes, parsed } = transactionOf(text, encoding)
  const isSimulated = skipPreflight !== true
  viewOf(node, config, 'preflightCommitment')
  if (isSimulated) {
    refuseUnhealthy(node)
    const behind = node.behind(commitmentOf(config.preflightCommitment))
    const simulated = node.ledger.simulate(bytes, { signatures: true, blockhash: true, behind })
    if (simulated.err !== null) throw preflightError({ ...simulated, err: simulated.err })
  }
  const { err, logs, transaction } = node.ledger.send(bytes)
  // With preflight skipped, a node accepts a failing transaction, and silently drops a transaction that cannot be included.
  if (transaction === undefined && isSimulated && err !== null)
    throw preflightError({ err, logs, computeUnits: 0 })
  return formatBase58(parsed.signatures[0] ?? new Uint8Array())
}

function simulateTransaction(node: Node, text: unknown, config: Config) {
  const { encoding = 'base58', sigVerify, replaceRecentBlockhash, accounts } = config
  if (sigVerify === true && replaceRecentBlockhash === true)
    throw new RpcAnswerError(-32602, 'sigVerify may not be used with replaceRecentBlockhash')
  const { bytes } = transactionOf(text, encoding)
  const view = viewOf(node, config)
  const result = node.ledger.simulate(bytes, {
    signatures: sigVerify === true,
    blockhash: replaceRecentBlockhash !== true,
    behind: node.behind(commitmentOf(config.commitment)),
  })
  const asked = configOf(accounts).addresses
  return inContext(node, config, {
    ...emptyResult,
    err: result.err,
    logs: result.logs,
    unitsConsumed: result.computeUnits,
    replacementBlockhash: replaceRecentBlockhash === true ? view.latestBlockhash : null,
    accounts: Array.isArray(asked)
      ? asked.map((key) => {
          const found = result.accounts.find((entry) => entry.address === key)
          if (found === undefined) return null
          const state = {
            lamports: found.lamports,
            owner: found.programAddress,
            data: Uint8Array.from(found.data),
          }
          return encodeAccount(node.ledger, found.address, state, { encoding: 'base64' })
        })
      : null,
  })
}

function statusOf(node: Node, options: { signature: string; archive: boolean }) {
  const found = node.find(options.signature, options)
  if (found === undefined) return null
  const { slot, err } = found
  const confirmationStatus = node.stateOf(found)
  return {
    slot,
    // A final transaction has the value null.
    confirmations: confirmationStatus === 'finalized' ? null : node.at('processed').slot - slot,
    err,
    status: err === null ? { Ok: null } : { Err: err },
    confirmationStatus,
  }
}

const emptyResult = {
  accounts: null,
  innerInstructions: null,
  loadedAccountsDataSize: null,
  replacementBlockhash: null,
  returnData: null,
} as const

function preflightError(simulated: {
  err: RpcTransactionError
  logs: string[]
  computeUnits: number
}): RpcAnswerError {
  const { err, logs, computeUnits } = simulated
  if (err === 'SignatureFailure')
    return new RpcAnswerError(-32003, 'Transaction signature verification failure')
  return new RpcAnswerError(-32002, `Transaction simulation failed: ${failureText(err)}`, {
    ...emptyResult,
    err,
    logs,
    unitsConsumed: computeUnits,
  })
}
