// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Payment} from "./Payment.sol";

/// @title Sells to accounts with a key only
contract EoaOnly is Payment {
    mapping(address buyer => uint256) public paidFor;

    constructor(address usdc_) Payment(usdc_) {}

    function buy(address receiver, uint256 price) external {
        require(msg.sender == tx.origin, "EoaOnly: no contracts");
        _pull(price);
        paidFor[receiver] += price;
    }
}
