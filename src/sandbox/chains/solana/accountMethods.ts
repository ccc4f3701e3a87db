import { address } from '@solana/kit'
import { formatBase58, parseBase58 } from '../../../redeemkit/solana/encoding.ts'
import { programs } from '../../../redeemkit/solana/transaction/programs.ts'
import { type AccountState, emptyAccount, readAmount } from './accountStore.ts'
import type { Ledger, LedgerTransaction } from './createLedger.ts'
import { encodeAccount, isTokenAccount, tokenAmount, uiAmount } from './encode.ts'
import type { Node } from './openNode.ts'
import {
  addressOf,
  badParams,
  type Config,
  configOf,
  inContext,
  type Methods,
  RpcAnswerError,
} from './params.ts'

export function accountMethods(node: Node): Methods {
  const { ledger } = node
  return {
    getBalance: ([key, config]) =>
      inContext(node, configOf(config), Number(ledger.read(addressOf(key))?.lamports ?? 0n)),
    getAccountInfo: ([key, config]) =>
      inContext(node, configOf(config), accountOf(ledger, key, configOf(config))),
    getMultipleAccounts: ([keys, config]) => {
      if (!Array.isArray(keys)) throw badParams('keys')
      if (keys.length > 100) throw new RpcAnswerError(-32602, 'Too many inputs provided; max 100')
      return inContext(
        node,
        configOf(config),
        keys.map((key) => accountOf(ledger, key, configOf(config))),
      )
    },
    getTokenAccountBalance: ([key, config]) => {
      const state = ledger.read(addressOf(key))
      if (state === undefined || !isTokenAccount(state))
        throw new RpcAnswerError(-32602, 'Invalid param: could not find account')
      return inContext(node, configOf(config), tokenAmount(ledger, state))
    },
    getTokenSupply: ([key, config]) => {
      const mint = ledger.read(addressOf(key))
      if (mint === undefined || mint.data.length < 82)
        throw new RpcAnswerError(-32602, 'Invalid param: not a Token mint')
      return inContext(node, configOf(config), uiAmount(readAmount(mint.data, 36), mint.data[44] ?? 0))
    },
    getTokenAccountsByOwner: ([owner, filter, config]) => {
      const { mint, programId } = configOf(filter)
      const ownerKey = addressOf(owner)
      const mintKey = mint === undefined ? undefined : addressOf(mint)
      const program =
        mintKey === undefined ? addressOf(programId) : (ledger.read(mintKey)?.owner ?? programs.token)
      const found = accountsOwnedBy(
        ledger,
        (data) =>
          data.length >= 165 &&
          formatBase58(data.slice(32, 64)) === ownerKey &&
          (mintKey === undefined || formatBase58(data.slice(0, 32)) === mintKey),
        program,
      )
      return inContext(
        node,
        configOf(config),
        found.map(({ address, state }) => ({
          pubkey: address,
          account: encodeAccount(ledger, address, state, configOf(config)),
        })),
      )
    },
    requestAirdrop: ([key, amount]) => {
      if (typeof amount !== 'number' || !Number.isSafeInteger(amount) || amount <= 0)
        throw badParams('lamports')
      const recipient = addressOf(key)
      const before = ledger.read(recipient) ?? emptyAccount()
      ledger.fundSol(recipient, BigInt(amount))
      const signature = formatBase58(crypto.getRandomValues(new Uint8Array(64)))
      ledger.record(airdropRecord(ledger, { recipient, signature, before }))
      return signature
    },
  }
}

function accountOf(ledger: Ledger, key: unknown, config: Config) {
  const own = addressOf(key)
  const state = ledger.read(own)
  return state === undefined ? null : encodeAccount(ledger, own, state, config)
}

function accountsOwnedBy(ledger: Ledger, filter: (data: Uint8Array) => boolean, programId: string) {
  return ledger.svm
    .getProgramAccounts(address(programId))
    .map(({ address: key, lamports, data }) => ({
      address: String(key),
      state: { lamports, owner: programId, data: Uint8Array.from(data) },
    }))
    .filter(({ state }) => filter(state.data))
    .sort((a, b) => (a.address < b.address ? -1 : 1))
}

/** An airdrop is not a transaction here. The record lets its signature be reported as confirmed. */
function airdropRecord(
  ledger: Ledger,
  { recipient, signature, before }: { recipient: string; signature: string; before: AccountState },
): LedgerTransaction {
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
      keys: [recipient],
      blockhash: ledger.latestBlockhash().blockhash,
      instructions: [],
      lookups: [],
    },
    accounts: [recipient],
    loaded: { writable: [], readonly: [] },
    err: null,
    fee: 0,
    logs: [],
    computeUnits: 0,
    inner: [],
    before: [before],
    after: [ledger.read(recipient) ?? emptyAccount()],
  }
}
