// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it pulls one raw unit more than the given price

contract PullsMore is Payment {
    mapping(address receiver => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        _pull(price + 1);
        paidFor[receiver] += price;
    }
}
