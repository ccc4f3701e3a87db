// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {BoundedCall} from "../src/BoundedCall.sol";
import {Test} from "./Test.sol";

/// @dev The free memory that receives an answer may have been used before.
contract BoundedCallMemoryTest is Test {
    fallback() external {
        assembly {
            mstore(0, not(0))
            revert(0, 5)
        }
    }

    function test_answer_isPaddedWithZeros() public {
        BoundedCall.call(address(this), 0, gasleft(), hex"01020304");
        assembly ("memory-safe") {
            let free := mload(0x40)
            for { let i := 0 } lt(i, 0x100) { i := add(i, 0x20) } { mstore(add(free, i), not(0)) }
        }
        bytes memory answer = BoundedCall.answer(256);
        uint256 word;
        assembly ("memory-safe") {
            word := mload(add(answer, 0x20))
        }
        vm.assertEq(answer.length, 5);
        vm.assertEq(bytes32(word), bytes32(hex"ffffffffff"));
    }
}
