import { Account, Keypair, Operation, StrKey, TransactionBuilder } from '@stellar/stellar-sdk'
import { accountLedgerKey } from '../entries/ledgerKeys.ts'
import type { Ledger } from '../ledger/createLedger.ts'
import { type HorizonAnswer, submitAndWait } from './horizon/submit.ts'

/** XLM that an account is created with, and stroops that its payer needs for that. */
const givenXlm = '10000'
const payerStroops = 110_000_000_000n

/** Creates an account as the test network's friendbot does: by a transaction, which can be looked up. */
export async function friendbot(ledger: Ledger, address: string): Promise<HorizonAnswer> {
  const refuse = (detail: string) => ({ status: 400, body: { detail, simulation: true } })
  if (!StrKey.isValidEd25519PublicKey(address)) return refuse('The parameter addr is not an address.')
  if (ledger.readEntry(accountLedgerKey(address)) !== undefined) return refuse('createAccountAlreadyExist')
  // One for each: an account has one transaction pending.
  const payer = Keypair.random()
  ledger.fund({ address: payer.publicKey(), xlm: payerStroops })
  const entry = ledger.readEntry(accountLedgerKey(payer.publicKey()))?.entry
  const sequence = entry?.account().seqNum().toString() ?? '0'
  const transaction = new TransactionBuilder(new Account(payer.publicKey(), sequence), {
    fee: '100',
    networkPassphrase: ledger.networkPassphrase,
    timebounds: { minTime: 0, maxTime: 0 },
  })
    .addOperation(Operation.createAccount({ destination: address, startingBalance: givenXlm }))
    .build()
  transaction.sign(payer)
  return submitAndWait(ledger, transaction.toXDR())
}
