// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Payment} from "../Payment.sol";

/// @title Breaks one rule: it limits purchases by msg.sender, which all customers share

contract SeesOneCustomer is Payment {
    mapping(address buyer => uint256) public bought;
    mapping(address receiver => uint256) public paidFor;

    error LimitReached(uint256 limit);

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        if (++bought[msg.sender] > 3) revert LimitReached(3);
        _pull(price);
        paidFor[receiver] += price;
    }
}
