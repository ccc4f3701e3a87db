/**
 * Every value that the browser path takes from viem. viem 3 renames its flat functions: only this file has to follow.
 * Types are imported from `viem` directly.
 */
export {
  bytesToHex,
  concatHex,
  decodeEventLog,
  decodeFunctionData,
  decodeFunctionResult,
  deploylessCallViaFactoryBytecode,
  domainSeparator,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  fromRlp,
  getAddress,
  hashMessage,
  hashStruct,
  hashTypedData,
  hexToBytes,
  keccak256,
  numberToHex,
  recoverAddress,
  sha256,
  size,
  slice,
  stringToBytes,
  stringToHex,
  toRlp,
} from 'viem'
