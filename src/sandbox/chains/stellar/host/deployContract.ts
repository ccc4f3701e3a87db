import { Address, hash, StrKey, xdr } from '@stellar/stellar-sdk'
import { creationCall } from './callTree.ts'
import { addressValue } from './contractValues.ts'
import type { Host } from './createHost.ts'
import { prices } from './createMeter.ts'
import { checkWasm, createWasmContract } from './createWasmContract.ts'
import { HostError } from './hostError.ts'
import { invokeContract } from './invokeContract.ts'
import { requireAuth } from './requireAuth.ts'

const constructorName = '__constructor'

/**
 * Takes Wasm that contracts can be made of.
 *
 * @returns its hash
 * @throws {@link HostError}
 */
export function uploadWasm({ storage, meter }: Host, code: Buffer): xdr.ScVal {
  meter.charge(code.length * prices.codeByte)
  checkWasm(Buffer.from(code))
  return xdr.ScVal.scvBytes(storage.writeCode(code))
}

/**
 * Makes a contract of Wasm that was uploaded, and runs its constructor.
 *
 * @returns its address
 * @throws {@link HostError}
 */
export function deployContract(host: Host, creation: xdr.CreateContractArgsV2): xdr.ScVal {
  const { storage, authorizer, frames, meter } = host
  const preimage = creation.contractIdPreimage()
  const executable = creation.executable()
  if (
    preimage.switch().name !== 'contractIdPreimageFromAddress' ||
    executable.switch().name !== 'contractExecutableWasm'
  )
    throw new HostError('HostError: Error(Context, InvalidAction): only contracts of Wasm are created here')
  const contract = contractAddress(preimage, host.networkPassphrase)
  if (storage.instanceOf(contract) !== undefined)
    throw new HostError(`HostError: Error(Storage, ExistingValue): ${contract} exists already`)
  const code = storage.readCode(executable.wasmHash())
  meter.charge(code.length * prices.codeByte)
  const functions = createWasmContract(code)
  frames.push(creationCall(creation))
  authorizer.enter()
  requireAuth(host, Address.fromScAddress(preimage.fromAddress().address()).toString())
  storage.createInstance(contract, executable)
  if (Object.hasOwn(functions, constructorName))
    invokeContract(host, contract, constructorName, creation.constructorArgs())
  else if (creation.constructorArgs().length > 0)
    throw new HostError('HostError: Error(Context, MissingValue): the contract has no constructor')
  authorizer.leave()
  frames.pop()
  return addressValue(contract)
}

function contractAddress(preimage: xdr.ContractIdPreimage, networkPassphrase: string): string {
  const id = xdr.HashIdPreimage.envelopeTypeContractId(
    new xdr.HashIdPreimageContractId({
      networkId: hash(Buffer.from(networkPassphrase)),
      contractIdPreimage: preimage,
    }),
  )
  return StrKey.encodeContract(hash(id.toXDR()))
}
