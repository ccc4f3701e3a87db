// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it refuses an hour after its deployment

contract DependsOnTime is Payment {
    uint256 public immutable endsAt = block.timestamp + 1 hours;
    mapping(address receiver => uint256) public paidFor;

    error SaleEnded(uint256 endsAt);

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (block.timestamp >= endsAt) revert SaleEnded(endsAt);
        _pull(price);
        paidFor[receiver] += price;
    }
}
