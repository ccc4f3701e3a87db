import { readFile } from 'node:fs/promises'
import {
  Address,
  hash,
  type Keypair,
  nativeToScVal,
  Operation,
  type rpc,
  scValToNative,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { networkOf } from '../../../src/redeemkit/stellar/index.ts'
import { compileWasm } from './compileWasm.ts'

const network = networkOf('sandbox')

/** Uploads the shop and creates it over RPC, as on any network. @returns its `C…` address */
export async function deployShop(
  server: rpc.Server,
  options: { owner: Keypair; merchant: string },
): Promise<string> {
  const code = await compileWasm(await readFile(new URL('shop.wat', import.meta.url), 'utf8'))
  await runHostFunction(server, options.owner, Operation.uploadContractWasm({ wasm: code }))
  return deployWasm(server, {
    owner: options.owner,
    wasmHash: hash(code),
    constructorArgs: [network.usdc.contract, options.merchant].map((text) =>
      nativeToScVal(text, { type: 'address' }),
    ),
  })
}

/** Creates a contract of Wasm that is on the ledger. @returns its `C…` address */
export async function deployWasm(
  server: rpc.Server,
  options: { owner: Keypair; wasmHash: Buffer; constructorArgs?: xdr.ScVal[]; salt?: Buffer },
): Promise<string> {
  const { owner, ...creation } = options
  const address = Address.fromString(owner.publicKey())
  const value = await runHostFunction(server, owner, Operation.createCustomContract({ address, ...creation }))
  return scValToNative(value)
}

/** Simulates, signs, submits and waits. @returns what the function returned */
export async function runHostFunction(
  server: rpc.Server,
  owner: Keypair,
  operation: xdr.Operation,
): Promise<xdr.ScVal> {
  const { networkPassphrase } = network
  const draft = new TransactionBuilder(await server.getAccount(owner.publicKey()), {
    fee: '1000',
    networkPassphrase,
  })
    .addOperation(operation)
    .setTimeout(120)
    .build()
  const transaction = await server.prepareTransaction(draft)
  transaction.sign(owner)
  const sent = await server.sendTransaction(transaction)
  if (sent.status === 'ERROR') throw new Error(`not taken: ${sent.errorResult?.result().switch().name}`)
  const landed = await server.pollTransaction(sent.hash, { attempts: 30 })
  if (landed.status !== 'SUCCESS' || landed.returnValue === undefined)
    throw new Error(`not applied: ${landed.status}`)
  return landed.returnValue
}
