// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it uses more gas than a redeem may request

contract GasAboveLimit is Payment {
    /// @dev Above 15,500,000, the most that a whitelist entry can request.
    uint256 public constant WORK = 15_800_000;

    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        uint256 start = gasleft();
        _pull(price);
        paidFor[receiver] += price;
        uint256 spent = 0;
        while (start - gasleft() < WORK) ++spent;
    }
}
