import type { Transaction } from '@stellar/stellar-sdk'
import { clockSkewMs, maxLifeMs } from '../../core/authMessage/isWithinLifetime.ts'
import { readClock } from '../../core/time/clock.ts'
import { checkAddress } from '../signer/checkAddress.ts'
import { isSignatureOf } from '../transaction/findSignature.ts'
import { parseTransaction } from '../transaction/parseTransaction.ts'
import { type AuthExpectation, checkDomains, checkField } from './checkAuthMessage.ts'

/**
 * Proves a SEP-10 challenge harmless: it cannot be on chain, moves nothing, and comes from the service.
 *
 * Sequence 0; no fee bump, memo, or condition but the time bounds, at most a day apart, within which we are; the first operation writes
 * `<home domain> auth` with 48 random bytes for this wallet; a second, if any, writes the server's `web_auth_domain`;
 * one signature, by the transaction's source (the pinned server key, when there is one), for this network.
 *
 * @throws `InvalidAuthMessageError` naming the field; `InvalidBase64Error`, `InvalidTransactionError`
 */
export function checkChallenge(transactionXdr: string, expected: AuthExpectation): Transaction {
  checkDomains(expected)
  const { transaction, feeBump } = parseTransaction(transactionXdr, expected.network)
  const { source, operations, signatures } = transaction
  checkField(feeBump === undefined, 'transaction.feeBump', [true])
  checkField(transaction.sequence, 'transaction.sequence', ['0'])
  checkField(checkAddress(source, 'transaction.source') === expected.address, 'transaction.source', [false])
  if (expected.serverKey !== undefined) checkField(source, 'transaction.source', [expected.serverKey])
  checkField(transaction.memo.type, 'transaction.memo', ['none'])

  const inner = transaction.toEnvelope().v1().tx()
  const isPlain = inner.cond().switch().name === 'precondTime' && inner.ext().switch() === 0
  checkField(isPlain, 'transaction.preconditions', [true])
  const seconds = readClock(expected.now) / 1000
  const { minTime = 0, maxTime = 0 } = transaction.timeBounds ?? {}
  const [start, end] = [Number(minTime), Number(maxTime)]
  const isNow = start <= seconds + clockSkewMs / 1000 && end >= Math.floor(seconds)
  if (!isNow || end - start > maxLifeMs / 1000)
    checkField(`${minTime} to ${maxTime}`, 'transaction.timeBounds', [])

  inner.operations().forEach((operation, index) => {
    // The SDK reads a name by 7 bits of each byte: another name would pass for this one.
    const name =
      operation.body().switch().name === 'manageData' ? operation.body().manageDataOp().dataName() : ''
    const isText =
      typeof name === 'string' ? /^[ -~]*$/.test(name) : name.every((byte) => byte >= 32 && byte < 127)
    checkField(isText, `transaction.operations[${index}].name`, [true])
  })
  operations.forEach((operation, index) => {
    const field = `transaction.operations[${index}]`
    checkField(operation.type, field, ['manageData'])
    if (operation.type !== 'manageData') return
    const value = operation.value === undefined ? '' : utf8.decode(operation.value)
    checkField(operation.source, `${field}.source`, [index === 0 ? expected.address : source])
    if (index === 0) {
      checkField(
        operation.name,
        `${field}.name`,
        expected.domains.map((domain) => `${domain} auth`),
      )
      checkField(/^[A-Za-z\d+/]{64}$/.test(value), `${field}.value`, [true])
    } else {
      checkField(operation.name, `${field}.name`, ['web_auth_domain'])
      checkField(value, `${field}.value`, expected.domains)
    }
  })
  checkField(operations.length === 1 || operations.length === 2, 'transaction.operations', [true])

  const [signature] = signatures
  const isSigned =
    signature !== undefined && signatures.length === 1 && isSignatureOf(signature, source, transaction.hash())
  checkField(isSigned, 'transaction.signatures', [true])
  return transaction
}

/** Drops nothing: a byte order mark makes another text. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
