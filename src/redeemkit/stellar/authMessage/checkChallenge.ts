import type { Transaction, xdr } from '@stellar/stellar-sdk'
import { checkDomains, clockSkewMs, maxLifeMs } from '../../core/authMessage.ts'
import { readClock } from '../../core/clock.ts'
import { InvalidOptionError } from '../../core/errors/inputErrors.ts'
import { showValue } from '../../core/errors/showValue.ts'
import { formatMemo, isSignatureOf, parseTransaction, toMemo } from '../envelope/envelope.ts'
import { baseAddress, checkAddress } from '../values.ts'
import { type AuthExpectation, expectField } from './parseAuthMessage.ts'

/**
 * Checks that a SEP-10 challenge is harmless: it cannot be executed, moves no value, and comes from the service. It has exactly the content
 * that PROTOCOL.md 8.4 lists, and the only other signature is that of the client domain.
 *
 * @see SEP-10, version 3.4
 */
export function checkChallenge(transactionXdr: string, expected: AuthExpectation): Transaction {
  checkDomains(expected.domains)
  checkTerms(expected)
  const { address, clientDomain, memoId, network, serverKey } = expected
  const { transaction, feeBump } = parseTransaction(transactionXdr, network)
  const { source, operations } = transaction
  expectField(feeBump === undefined, 'transaction.feeBump', [true])
  expectField(transaction.sequence, 'transaction.sequence', ['0'])
  expectField(checkAddress(source, 'transaction.source') === baseAddress(address), 'transaction.source', [
    false,
  ])
  if (serverKey !== undefined) expectField(source, 'transaction.source', [serverKey])
  const id = memoId === undefined ? undefined : formatMemo(toMemo({ type: 'id', value: memoId }))
  expectField(formatMemo(transaction.memo), 'transaction.memo', [id])

  const inner = transaction.toEnvelope().v1().tx()
  const isPlain = inner.cond().switch().name === 'precondTime' && inner.ext().switch() === 0
  expectField(isPlain, 'transaction.preconditions', [true])
  checkTime(transaction, expected)
  inner.operations().forEach(checkName)
  operations.forEach((operation, index) => {
    checkOperation(operation, index, source, expected)
  })
  const names = operations.map((operation) => ('name' in operation ? operation.name : ''))
  const isWhole =
    names.length > 0 &&
    new Set(names).size === names.length &&
    (clientDomain === undefined || names.includes('client_domain'))
  expectField(isWhole, 'transaction.operations', [true])
  checkSignatures(transaction, clientDomain?.key)
  return transaction
}

/** Checks that SEP-10 allows the requested combination of account, memo and client domain. */
function checkTerms({ address, memoId, clientDomain }: AuthExpectation): void {
  if (memoId !== undefined && address !== baseAddress(address))
    throw new InvalidOptionError(`The user is given twice: in ${address} and as memoId.`, {
      field: 'memoId',
      fix: 'Pass the id either in the address or as memoId.',
      source: 'SEP-10',
    })
  if (clientDomain === undefined) return
  const { domain, key } = Object(clientDomain)
  if (typeof domain !== 'string' || domain === '')
    throw new InvalidOptionError(`clientDomain is ${showValue(domain)}.`, {
      field: 'clientDomain.domain',
      fix: 'Pass the client host as `domain`, and the SIGNING_KEY of its stellar.toml as `key`.',
      source: 'SEP-10',
    })
  checkAddress(key, 'clientDomain.key')
}

function checkTime({ timeBounds }: Transaction, { now }: AuthExpectation): void {
  const seconds = readClock(now) / 1000
  const { minTime = 0, maxTime = 0 } = timeBounds ?? {}
  const [start, end] = [Number(minTime), Number(maxTime)]
  const isNow = start <= seconds + clockSkewMs / 1000 && end >= Math.floor(seconds)
  if (!isNow || end - start > maxLifeMs / 1000)
    expectField(`${minTime} to ${maxTime}`, 'transaction.timeBounds', [])
}

/** The SDK reads only 7 bits of each byte, so a different name could look like the expected one. */
function checkName(operation: xdr.Operation, index: number): void {
  const body = operation.body()
  const name = body.switch().name === 'manageData' ? body.manageDataOp().dataName() : ''
  const isText =
    typeof name === 'string' ? /^[ -~]*$/.test(name) : name.every((byte) => byte >= 32 && byte < 127)
  expectField(isText, `transaction.operations[${index}].name`, [true])
}

/** Operation 0 belongs to the wallet, `client_domain` to the client's key, and `web_auth_domain` to the server. */
function checkOperation(
  operation: Transaction['operations'][number],
  index: number,
  server: string,
  { address, clientDomain, domains }: AuthExpectation,
): void {
  const field = `transaction.operations[${index}]`
  expectField(operation.type, field, ['manageData'])
  if (operation.type !== 'manageData') return
  const { name } = operation
  const value = operation.value === undefined ? '' : utf8.decode(operation.value)
  if (index === 0) {
    expectField(
      name,
      `${field}.name`,
      domains.map((domain) => `${domain} auth`),
    )
    expectField(operation.source, `${field}.source`, [address])
    expectField(/^[A-Za-z\d+/]{64}$/.test(value), `${field}.value`, [true])
  } else {
    const isClient = clientDomain !== undefined && name === 'client_domain'
    if (!isClient) expectField(name, `${field}.name`, ['web_auth_domain'])
    expectField(operation.source, `${field}.source`, [isClient ? clientDomain.key : server])
    expectField(value, `${field}.value`, isClient ? [clientDomain.domain] : domains)
  }
}

function checkSignatures(transaction: Transaction, clientKey: string | undefined): void {
  const { signatures, source } = transaction
  const digest = transaction.hash()
  const signers = signatures.map((signature) =>
    [source, clientKey].find((key) => key !== undefined && isSignatureOf(signature, key, digest)),
  )
  const isSigned =
    signers.includes(source) && !signers.includes(undefined) && new Set(signers).size === signers.length
  expectField(isSigned, 'transaction.signatures', [true])
}

/** Decodes UTF-8 and keeps a byte order mark: with it, the text is different. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })
