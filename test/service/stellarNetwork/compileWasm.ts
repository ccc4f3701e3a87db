import { xdr } from '@stellar/stellar-sdk'
import startWabt from 'wabt'

/** The protocol from which on contracts have constructors. */
const firstProtocol = 22

/** Compiles WebAssembly text to what Stellar takes: a module that says for which protocol it was built. */
export async function compileWasm(text: string, protocol = firstProtocol): Promise<Buffer> {
  const wabt = await startWabt()
  const module = wabt.parseWat('contract.wat', text)
  try {
    const meta = xdr.ScEnvMetaEntry.scEnvMetaKindInterfaceVersion(
      new xdr.ScEnvMetaEntryInterfaceVersion({ protocol, preRelease: 0 }),
    )
    return Buffer.concat([module.toBinary({}).buffer, customSection('contractenvmetav0', meta.toXDR())])
  } finally {
    module.destroy()
  }
}

/** A custom section of a Wasm module, shorter than 128 bytes. */
function customSection(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from([name.length]), Buffer.from(name), content])
  return Buffer.concat([Buffer.from([0, body.length]), body])
}
