// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Records how much gas it gets, measured by its very first instruction
contract GasMeter {
    uint256 public given;

    fallback() external {
        assembly {
            sstore(0, gas())
        }
    }
}
