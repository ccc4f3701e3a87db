// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: its delivery always fails, and it continues regardless

contract SwallowsFailure is Payment {
    uint256 public orders;

    error OutOfStock();

    constructor(address usdc_) Payment(usdc_) {}

    /// @param receiver must not be zero, and gets nothing
    function buy(address receiver, uint256 price) external {
        require(receiver != address(0), "SwallowsFailure: no receiver");
        _pull(price);
        ++orders;
        try this.deliver() {} catch {}
    }

    function deliver() external pure {
        revert OutOfStock();
    }
}
